package command

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// writeWorld writes a world to a file and returns the path.
func writeWorld(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestStartWithAWorld starts a program with the world of another one.
func TestStartWithAWorld(t *testing.T) {
	t.Parallel()
	const lesson = `{"format": 1, "clock": {"now": "2031-01-01T00:00:00Z", "frozen": true}, "baseline": {"categories": [{"id": 1, "name": "Dogs"}]},
		"state": {"pets": [{"id": 7, "name": "Rex", "categoryId": 1}]}}`
	one := programtest.StartPetstore(t, "--world", writeWorld(t, lesson))
	file := programtest.Get(t, one.URL+"/admin/world").Body
	other := programtest.StartPetstore(t, "--world", writeWorld(t, file))
	if got := programtest.Get(t, other.URL+"/admin/world").Body; got != file {
		t.Errorf("it holds\n%s\nand was started with\n%s", got, file)
	}
	if got := programtest.Get(t, other.URL+"/sandboxes/ada/pets").Body; !strings.Contains(got, `"name":"Rex"`) {
		t.Errorf("another sandbox starts with %s", got)
	}
	change(t, http.MethodPost, other.URL+"/admin/reset", "")
	if got := programtest.Get(t, other.URL+"/admin/world").Body; got != file {
		t.Errorf("after a reset it holds\n%s\nand was started with\n%s", got, file)
	}
}

// TestBadWorlds checks that the program does not start with an invalid world.
func TestBadWorlds(t *testing.T) {
	t.Parallel()
	bad := writeWorld(t, `{"format": 1, "draw": 0, "baseline": {}, "state": {"removed": {"pets": [1]}}}`)
	for name, test := range map[string]struct {
		args, want []string
	}{
		"bad":         {[]string{"--world", bad}, []string{"petstore: --world " + bad + " cannot be used:\ndraw: must be from 1", "\nstate.removed.pets[0]: there is no pet with id 1\n"}},
		"none":        {[]string{"--world", bad + ".none"}, []string{"--world: ", ".none"}},
		"later":       {[]string{"--world", writeWorld(t, `{"format": 2}`)}, []string{"format: is 2, but this version of the program reads 1"}},
		"state":       {[]string{"--world", writeWorld(t, `{"pets": []}`)}, []string{"format: is required"}},
		"too many":    {[]string{"--max-records", "1", "--world", writeWorld(t, `{"format": 1, "baseline": {}, "state": {"orders": [{"id": 1}, {"id": 2}]}}`)}, []string{"the state has 2 records"}},
		"no state":    {[]string{"--world", writeWorld(t, `{"format": 1, "baseline": {}}`)}, []string{"state: is required"}},
		"a device":    {[]string{"--max-memory", "64MiB", "--world", "/dev/zero"}, []string{"--world: /dev/zero has more than"}},
		"fixtures":    {[]string{"--world", bad, "--fixtures", "x"}, []string{"--fixtures is part of a world"}},
		"seed":        {[]string{"--world", bad, "--seed", "2"}, []string{"--seed is part of a world"}},
		"error rate":  {[]string{"--world", bad, "--error-rate", "0.1"}, []string{"--error-rate is part of a world"}},
		"sunset date": {[]string{"--world", bad, "--sunset", "2031-01-01"}, []string{"--sunset is part of a world"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := runToEnd(t, nil, append(test.args, "--addr", "127.0.0.1:0")...)
			if got.Code != exitUsage || got.Stdout != "" {
				t.Errorf("exit code %d, standard output %q, want %d and nothing", got.Code, got.Stdout, exitUsage)
			}
			for _, want := range test.want {
				if !strings.Contains(got.Stderr, want) {
					t.Errorf("standard error is %q, want %q in it", got.Stderr, want)
				}
			}
		})
	}
}
