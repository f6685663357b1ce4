package petstoretest_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// TestKeepWorld runs a flaky test as go test does, and reproduces its failure from the files
// that the test leaves.
func TestKeepWorld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFlaky$", "-test.artifacts",
		"-test.outputdir="+dir)
	cmd.Env = append(os.Environ(), flakyVariable+"=1")
	output, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("the test passes:\n%s", output)
	}
	kept := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			kept[entry.Name()[strings.Index(entry.Name(), "."):]] = path
		}
		return err
	})
	world := kept[".world.json"]
	if err != nil || len(kept) != 2 || kept[".har"] == "" ||
		!strings.Contains(string(output), "The world is kept in "+world) ||
		strings.Contains(string(output), "run with -artifacts") {
		t.Fatalf("%v, it leaves %v, and says\n%s", err, kept, output)
	}
	var archive struct {
		Log struct {
			Entries []struct {
				Draw     uint64 `json:"_draw"`
				Response struct{ Status int }
			}
		}
	}
	text, err := os.ReadFile(kept[".har"])
	if err != nil || json.Unmarshal(text, &archive) != nil || len(archive.Log.Entries) == 0 {
		t.Fatalf("%v, the archive is\n%s", err, text)
	}
	entries := archive.Log.Entries
	last := entries[len(entries)-1]
	if last.Response.Status != 503 || last.Draw == 0 {
		t.Fatalf("the last request that it made is %+v", last)
	}

	again := petstoretest.Run(t, petstoretest.FromWorld(world, petstoretest.AtDraw(1)))
	if !again.Clock().Frozen || again.State().Counts().Pets != 100+len(entries)-1 {
		t.Errorf("it starts with %+v, %+v", again.Clock(), again.State().Counts())
	}
	for i, entry := range entries {
		if got, _, _ := strings.Cut(addPet(again.Client, again.URL, "Rex"),
			" "); got != fmt.Sprint(entry.Response.Status) {
			t.Errorf("request %d is answered %s, and was %d", i+1, got, entry.Response.Status)
		}
	}
}

// flakyVariable makes a process of this test binary run TestFlaky.
const flakyVariable = "PETSTORE_TEST_FLAKY"

// TestFlaky is a flaky test. TestKeepWorld runs it in another process.
func TestFlaky(t *testing.T) {
	if os.Getenv(flakyVariable) == "" {
		return
	}
	srv := petstoretest.Run(t)
	pets := srv.Sandbox(t.Name())
	pets.KeepWorld()
	if os.Getenv(flakyVariable) == "two" {
		srv.KeepWorld()
	}
	pets.Freeze()
	pets.Fault(petstoretest.Rule{Probability: new(0.3), Status: new(503)})
	for range 1000 {
		response := must.Get(pets.Client.Post(pets.URL+"/pets", "application/json",
			strings.NewReader(`{"name": "Rex", "categoryId": 1}`)))(t)
		response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			t.Fatalf("creating a pet: %s", response.Status)
		}
	}
}

// TestKeepWorldsWithoutArtifacts keeps two worlds without the flag -artifacts, so that go test
// deletes their directory. For each world, the log must explain how to keep it, and must not
// report that it was kept.
func TestKeepWorldsWithoutArtifacts(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFlaky$")
	cmd.Env = append(os.Environ(), flakyVariable+"=two")
	output, _ := cmd.CombinedOutput()
	text := string(output)
	if strings.Count(text, "is kept in") != 1 || !strings.Contains(text, "is not kept") ||
		strings.Count(text, "run with -artifacts to keep them") != 2 || strings.Contains(text, "cannot be kept") {
		t.Errorf("it says\n%s", text)
	}
}

// TestKeepWorldOfPassedTest checks that a test that passes leaves no files.
func TestKeepWorldOfPassedTest(t *testing.T) {
	t.Parallel()
	fake := newExampleT()
	defer fake.removeArtifacts()
	petstoretest.Run(fake).KeepWorld()
	fake.end()
	if fake.dir != "" || fake.output.String() != "" {
		t.Errorf("it leaves %q, and says %q", fake.dir, &fake.output)
	}
}

// TestKeepWorldOfADroppedSandbox checks that the files hold the sandbox's last state.
func TestKeepWorldOfADroppedSandbox(t *testing.T) {
	t.Parallel()
	fake := newExampleT()
	defer fake.removeArtifacts()
	pets := petstoretest.Run(fake).Sandbox("ada")
	pets.KeepWorld()
	addPet(pets.Client, pets.URL, "Rex")
	pets.Drop()
	fake.Fail()
	fake.end()
	world := filepath.Join(fake.dir, "ada.world.json")
	if want := world + ", and the requests in " +
		filepath.Join(fake.dir, "ada.har"); !strings.Contains(fake.output.String(), want) {
		t.Errorf("it says %q, want %q", &fake.output, want)
	}
	again := petstoretest.Run(t, petstoretest.FromWorld(world))
	if got := again.State().Counts().Pets; got != 101 {
		t.Errorf("it has %d pets, want 101", got)
	}
}

// TestFromWorld starts a server with a world, and checks that resets return to it and that other
// sandboxes start with it.
func TestFromWorld(t *testing.T) {
	t.Parallel()
	source := petstoretest.Run(t)
	source.Snapshot("before")
	addPet(source.Client, source.URL, "Rex")
	source.Freeze()
	source.Fault(petstoretest.Rule{Status: new(503), Times: new(1)})
	file := filepath.Join(t.TempDir(), "world.json")
	must.Succeed(t, os.WriteFile(file, []byte(source.ExportWorld()), 0o600))
	srv := petstoretest.Run(t, petstoretest.FromWorld(file))
	wantWorld := func(when string, pets *petstoretest.Sandbox, count, snapshots int) {
		t.Helper()
		if got := pets.State().Counts().Pets; got != count || len(pets.Snapshots()) != snapshots ||
			len(pets.Faults()) != 1 || pets.Faults()[0].Applied != 0 || !pets.Now().Equal(source.Now()) {
			t.Errorf("%s: %d pets, %d snapshots and the faults %+v, at %v", when, got, len(pets.Snapshots()),
				pets.Faults(), pets.Now())
		}
	}
	srv2 := srv.Sandbox("default")
	wantWorld("at the start", srv2, 101, 1)
	addPet(srv.Client, srv.URL, "Bella")
	srv.Unfreeze()
	srv.Reset()
	wantWorld("after a reset", srv2, 101, 1)
	ada := srv.Sandbox("ada")
	wantWorld("in another sandbox", ada, 101, 0)
	ada.ClearFaults()
	addPet(ada.Client, ada.URL, "Bella")
	ada.Reset()
	wantWorld("after a reset of another", ada, 101, 0)
	srv.SetTemplate(srv2)
	srv.DropTemplate()
	wantWorld("in a sandbox of no other template", srv.Sandbox("bob"), 101, 0)

	room := petstoretest.Run(t, petstoretest.FromWorld(file),
		petstoretest.WithConfig(func(c *petstoretest.Config) { c.Workshop = true }))
	room.Everywhere(func(all *petstoretest.Sandbox) { all.ClearFaults() })
	room.EndWorkshop()
	room.SetWorkshop(true, 60)
	bob, _ := room.Join("Bob")
	wantWorld("on another day of a workshop", bob, 101, 0)
}
