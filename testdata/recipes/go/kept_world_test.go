package shop

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers/petstoretest"
)

// TestKeptWorld runs a test that fails, and reproduces the failure of its last request on
// another server, with the world that the test left.
func TestKeptWorld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	output, err := exec.CommandContext(t.Context(), "go", "test", "-tags", "flaky", "-run", "^TestTwentyPets$",
		"-artifacts", "-outputdir", dir, ".").CombinedOutput()
	if err == nil {
		t.Fatalf("the test passes:\n%s", output)
	}
	var worlds []string
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".world.json") {
			worlds = append(worlds, path)
		}
		return err
	})
	if err != nil || len(worlds) != 1 || !strings.Contains(string(output), "The world is kept in "+worlds[0]) {
		t.Fatalf("it leaves %q, %v, and says\n%s", worlds, err, output)
	}
	if _, err := os.Stat(strings.Replace(worlds[0], ".world.json", ".har", 1)); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(worlds[0])
	if err != nil {
		t.Fatal(err)
	}
	var world struct {
		Journal []struct {
			Draw   uint64
			Status int
		}
	}
	if err := json.Unmarshal(text, &world); err != nil || len(world.Journal) == 0 {
		t.Fatalf("its world has no journal, %v:\n%s", err, text)
	}
	last := world.Journal[len(world.Journal)-1]
	again := petstoretest.Run(t, petstoretest.FromWorld(worlds[0], petstoretest.AtDraw(last.Draw)))
	response, err := again.Client.Post(again.URL+"/pets", "application/json",
		strings.NewReader(`{"name": "Rex", "categoryId": 6}`))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if last.Status != http.StatusServiceUnavailable || response.StatusCode != last.Status {
		t.Errorf("its last request was answered %d, and is now answered %d, want 503", last.Status, response.StatusCode)
	}
}
