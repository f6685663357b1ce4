package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// unitFile is the recipe for systemd.
const unitFile = "../../testdata/recipes/systemd/petstore.service"

// TestSystemdUnit checks that systemd accepts the unit and rates its exposure below 2 of 10.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "systemd-analyze")
	binary, err := programtest.Petstore()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(unitFile)
	if err != nil {
		t.Fatal(err)
	}
	here := filepath.Join(t.TempDir(), "petstore.service") // refers to an existing program
	if err := os.WriteFile(here, []byte(strings.ReplaceAll(string(text), "/usr/local/bin/petstore", binary)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify", "--man=no", here}, {"security", "--offline=true", "--threshold=19", "--no-pager", here}} {
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
	text, err := os.ReadFile(unitFile)
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^Exec(Start|StartPost)=/usr/local/bin/petstore (.*)$`).FindAllStringSubmatch(string(text), -1)
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
