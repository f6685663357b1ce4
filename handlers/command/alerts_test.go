package command

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"example.com/petstore/handlers/command/programtest"
)

// TestAlerts checks that the alerts of the recipe use existing metrics and have a description.
func TestAlerts(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations struct{ Summary string }
			}
		}
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "prometheus/petstore.rules.yml")), &rules); err != nil {
		t.Fatal(err)
	}
	var watched struct {
		ScrapeConfigs []struct {
			JobName string `yaml:"job_name"`
		} `yaml:"scrape_configs"`
		RuleFiles []string `yaml:"rule_files"`
	}
	if err := yaml.Unmarshal([]byte(recipe(t, "prometheus/prometheus.yml")), &watched); err != nil {
		t.Fatal(err)
	}
	if len(watched.ScrapeConfigs) != 1 || len(watched.RuleFiles) != 1 ||
		watched.RuleFiles[0] != "petstore.rules.yml" || len(rules.Groups) != 1 {
		t.Fatalf("the recipe is %+v", watched)
	}
	metrics := programtest.Get(t, programtest.StartPetstore(t).URL+"/metrics").Body
	metrics += "\nup{job=\"" + watched.ScrapeConfigs[0].JobName + "\"} " // added by Prometheus
	for _, rule := range rules.Groups[0].Rules {
		names := regexp.MustCompile(`petstore_\w+|up\{.*?\}`).FindAllString(rule.Expr, -1)
		if len(names) == 0 || rule.Annotations.Summary == "" {
			t.Errorf("%s goes by nothing, or says nothing", rule.Alert)
		}
		for _, name := range names {
			if !strings.Contains(metrics, "\n"+name+" ") {
				t.Errorf("%s goes by %s, which is no metric", rule.Alert, name)
			}
		}
	}
}
