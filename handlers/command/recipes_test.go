package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// manifest has the fields of a Kubernetes object that the test checks. CI validates all fields with
// the types of Kubernetes.
type manifest struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		ServiceName string `yaml:"serviceName"`
		Replicas    int
		Ports       []struct {
			Port       int
			TargetPort string `yaml:"targetPort"`
		}
		Template struct {
			Spec struct {
				SecurityContext struct {
					RunAsUser int `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []container
			}
		}
	}
}

type container struct {
	Args  []string
	Env   []struct{ Name string }
	Ports []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
}

// playground returns the manifests by kind and name.
func playground(t *testing.T) map[string]manifest {
	t.Helper()
	all := make(map[string]manifest)
	for decoder := yaml.NewDecoder(strings.NewReader(recipe(t, "kubernetes/playground.yaml"))); ; {
		var m manifest
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[m.Kind+" "+m.Metadata.Name] = m
	}
}

// TestKubernetesManifests checks that the manifests agree with each other, with the flags and with
// the recipe for HAProxy.
func TestKubernetesManifests(t *testing.T) {
	t.Parallel()
	all := playground(t)
	replicas, service := all["StatefulSet petstore"].Spec, all["Service petstore"].Spec
	server := replicas.Template.Spec.Containers[0]
	var env []string
	for _, variable := range server.Env {
		env = append(env, variable.Name+"=secret")
	}
	args := strings.ReplaceAll(strings.Join(server.Args, " "), "$(POD_NAME)", "petstore-0")
	options := must.Get(parsed(t, env, strings.Fields(args)...))(t)
	if !options.Config.Sharded || options.Config.Replica != "petstore-0" {
		t.Errorf("the replica is %q", options.Config.Replica)
	}
	if options.Config.AdminKey != "secret" {
		t.Error("the server does not get its key")
	}
	_, port, err := net.SplitHostPort(options.Addr)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%v %v %s", server.Ports, service.Ports,
		replicas.ServiceName), fmt.Sprintf("[{http %s}] [{%s http}] petstore", port, port); got != want {
		t.Errorf("ports and service are %s, want %s", got, want)
	}
	image := must.Get(os.ReadFile("../../Dockerfile"))(t)
	for _, line := range []string{fmt.Sprintf("EXPOSE %s\n", port),
		fmt.Sprintf("USER %d:", replicas.Template.Spec.SecurityContext.RunAsUser)} {
		if !bytes.Contains(image, []byte("\n"+line)) {
			t.Errorf("the Dockerfile has no %q", line)
		}
	}
	_, original, _ := strings.Cut(recipe(t, "haproxy/haproxy.cfg"), "\nglobal\n")
	for i, name := range []string{"one", "two", "three"}[:replicas.Replicas] {
		original = programtest.Replaced(t, original, "shard-"+name+"\n", fmt.Sprintf("shard-petstore-%d\n", i),
			fmt.Sprintf("server %s 10.0.0.%d:8080", name,
				i+1), fmt.Sprintf("server petstore-%d petstore-%[1]d.petstore:%s", i, port))
	}
	want := programtest.Replaced(t, "global\n"+original,
		"bind :443 ssl crt /etc/haproxy/play.example.pem alpn h2,http/1.1", "bind :8080",
		"default-server check", "default-server resolvers cluster init-addr none check",
		"frontend play\n", "resolvers cluster\n    parse-resolv-conf\n    hold valid 2s\n\nfrontend play\n")
	config := all["ConfigMap playground"].Data["haproxy.cfg"]
	must.Equal(t, want, config, "the configuration is not the recipe's")
	programtest.RequireTool(t, "haproxy")
	if output, err := exec.CommandContext(t.Context(), "haproxy", "-c", "-f", fileOf(t, config)).
		CombinedOutput(); err != nil || bytes.Contains(output, []byte("WARNING")) {
		t.Errorf("haproxy -c: %v\n%s", err, output)
	}
}

// unitFile is the recipe for systemd.
const unitFile = "../../testdata/recipes/systemd/petstore.service"

// TestSystemdUnit checks that systemd accepts the unit and rates its exposure below 2 of 10.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "systemd-analyze")
	binary := must.Get(programtest.Petstore())(t)
	text := must.Get(os.ReadFile(unitFile))(t)
	here := filepath.Join(t.TempDir(), "petstore.service") // refers to an existing program
	if err := os.WriteFile(here, []byte(strings.ReplaceAll(string(text), "/usr/local/bin/petstore", binary)),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", "--man=no", here},
		{"security", "--offline=true", "--threshold=19", "--no-pager", here}} {
		output, err := exec.CommandContext(t.Context(), "systemd-analyze", args...).CombinedOutput()
		if err != nil || args[0] == "verify" && strings.Contains(string(output), "petstore.service:") {
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, output)
		}
	}
}

// TestSystemdUnitStarts runs the unit's commands at another address. Its flags must exist, and the
// start must wait until the server is ready.
func TestSystemdUnitStarts(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile(unitFile))(t)
	commands := regexp.MustCompile(`(?m)^Exec(Start|StartPost)=/usr/local/bin/petstore (.*)$`).
		FindAllStringSubmatch(string(text), -1)
	if len(commands) != 2 || commands[0][1] != "Start" || commands[1][1] != "StartPost" {
		t.Fatalf("the unit runs %q", commands)
	}
	start, ready := strings.Fields(commands[0][2]), strings.Fields(commands[1][2])
	if _, err := parsed(t, nil, start...); err != nil {
		t.Error(err)
	}
	p := startRun(t, nil, append(start, "--addr", "127.0.0.1:0", "--drain", "0s")...)
	for i, arg := range ready {
		ready[i] = strings.ReplaceAll(arg, "http://127.0.0.1:8080", p.URL)
	}
	if got := runToEnd(t, nil, ready...); got.Code != exitOK {
		t.Errorf("%q: %+v", ready, got)
	}
}

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
	must.Succeed(t, yaml.Unmarshal([]byte(recipe(t, "prometheus/petstore.rules.yml")), &rules))
	var watched struct {
		ScrapeConfigs []struct {
			JobName string `yaml:"job_name"`
		} `yaml:"scrape_configs"`
		RuleFiles []string `yaml:"rule_files"`
	}
	must.Succeed(t, yaml.Unmarshal([]byte(recipe(t, "prometheus/prometheus.yml")), &watched))
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
