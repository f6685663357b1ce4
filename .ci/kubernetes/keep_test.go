package kubernetes

import (
	"os"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

// TestKeepPatch reads the patch that adds a volume strictly.
func TestKeepPatch(t *testing.T) {
	text, err := os.ReadFile("../../testdata/recipes/kubernetes/keep.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var set appsv1.StatefulSet
	if err := yaml.UnmarshalStrict(text, &set); err != nil {
		t.Error(err)
	}
	if len(set.Spec.VolumeClaimTemplates) != 1 ||
		set.Spec.VolumeClaimTemplates[0].Name != set.Spec.Template.Spec.Containers[0].VolumeMounts[0].Name {
		t.Error("the container does not mount the volume that is claimed")
	}
}
