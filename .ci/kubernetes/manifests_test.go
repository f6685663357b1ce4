// Package kubernetes decodes the manifests of testdata/recipes into the types of Kubernetes, which define every field.
package kubernetes

import (
	"bufio"
	"errors"
	"io"
	"os"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	stream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// kinds has a constructor for every type that a manifest may have, by apiVersion and kind.
var kinds = map[metav1.TypeMeta]func() any{
	{APIVersion: "v1", Kind: "Service"}:                   func() any { return new(corev1.Service) },
	{APIVersion: "v1", Kind: "ConfigMap"}:                 func() any { return new(corev1.ConfigMap) },
	{APIVersion: "apps/v1", Kind: "StatefulSet"}:          func() any { return new(appsv1.StatefulSet) },
	{APIVersion: "apps/v1", Kind: "Deployment"}:           func() any { return new(appsv1.Deployment) },
	{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}: func() any { return new(networkingv1.Ingress) },
}

func TestManifests(t *testing.T) {
	file, err := os.Open("../../testdata/recipes/kubernetes/playground.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for documents := stream.NewYAMLReader(bufio.NewReader(file)); ; count++ {
		text, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal(text, &kind); err != nil {
			t.Fatal(err)
		}
		object := kinds[kind]
		if object == nil {
			t.Fatalf("%+v is not known here", kind)
		}
		if err := yaml.UnmarshalStrict(text, object()); err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
		}
	}
	if count != 6 {
		t.Errorf("%d objects, want 6", count)
	}
}
