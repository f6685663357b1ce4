//go:build unix

package command

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/internal/must"
)

// names returns the names of the files in a directory.
func names(t *testing.T, directory string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(directory))(t)
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return strings.Join(all, " ")
}

// TestKeep restarts a server with other flags and checks that all data is restored.
func TestKeep(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	file := filepath.Join(directory, "link")
	if err := os.Symlink("shop.keep", file); err != nil { // the file is still to be written
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil { // mktemp makes an empty file
		t.Fatal(err)
	}
	p := programtest.StartPetstore(t, "--keep", file)
	change(t, "POST", p.URL+"/pets", `{"name": "Morning", "categoryId": 1}`)
	change(t, "PUT", p.URL+"/admin/sandboxes/ada", `{"key": "adas", "private": true}`)
	change(t, "PUT", p.URL+"/sandboxes/bob/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	before := programtest.Get(t, p.URL+"/pets/101")
	terminate(t, p)
	if left := names(t, directory); left != "link shop.keep" {
		t.Errorf("the files are %s", left)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("the file has the mode %v, %v", info.Mode(), err)
	}
	if text, _ := os.ReadFile(file); bytes.Contains(text, []byte("adas")) {
		t.Errorf("a key is in the file:\n%s", text)
	}

	p = programtest.StartPetstore(t, "--keep", file, "--seed", "2", "--pets", "5", "--sunset", "2040-12-31")
	p.Stderr.Line("sandboxes restored")
	if after := programtest.Get(t, p.URL+"/pets/101"); after.Body != before.Body ||
		!strings.Contains(after.Body, "Morning") {
		t.Errorf("the pet is %s, was %s", after.Body, before.Body)
	}
	if a := programtest.Get(t, p.URL+"/pets/101"); !strings.Contains(a.Header.Get("Sunset"), "2040") {
		t.Errorf("the sunset is %s, want the flag's", a.Header.Get("Sunset"))
	}
	if a := programtest.Get(t, p.URL+"/sandboxes/ada/pets"); a.Status != 401 {
		t.Errorf("without its key the private sandbox answers %d", a.Status)
	}
	if a := programtest.Get(t, p.URL+"/sandboxes/ada/pets", "Authorization", "Bearer adas"); a.Status != 200 ||
		a.Header.Get("X-Total-Count") != "100" {
		t.Errorf("with its key the private sandbox answers %d with %s pets", a.Status, a.Header.Get("X-Total-Count"))
	}
	if a := programtest.Get(t, p.URL+"/sandboxes/bob/admin/clock"); !strings.Contains(a.Body,
		`"2031-01-01T00:00:00Z"`) {
		t.Errorf("the clock shows %s", a.Body)
	}
	if a := programtest.Get(t, p.URL+"/sandboxes/new/pets"); a.Header.Get("X-Total-Count") != "5" {
		t.Errorf("a new sandbox has %s pets, want those of the flags", a.Header.Get("X-Total-Count"))
	}

	second := programtest.RunToEnd(t, "--addr", "127.0.0.1:0", "--keep", file)
	if second.Code != exitRun || !strings.Contains(second.Stderr, "another server keeps its sandboxes in "+file) {
		t.Errorf("a second server ends with %d: %s", second.Code, second.Stderr)
	}
}

// TestUnusableKeptFile checks that the program does not start, reports the reason and
// leaves the file unchanged.
func TestUnusableKeptFile(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	const first = `{"format": 1, "at": "2026-01-31T09:30:00Z"}` + "\n"
	const base = `{"base": 1, "data": {}}` + "\n"
	sandbox := func(name string) string {
		return `{"sandbox": true, "name": "` + name + `", "data": {"format": 1, "base": 1, "state": {}}}` + "\n"
	}
	for name, test := range map[string]struct{ text, want string }{
		"fixtures": {`{"pets": []}` + "\n", "line 1: the first line must be {\"format\": 1, …}"},
		"truncated": {first + base,
			"line 3: the file ends here, and its rest is missing"},
		"too large": {first + strings.Repeat(" ", 9<<20) + "\n",
			"line 2: has more than 8MiB, the most that --max-memory leaves for it; allow more"},
		"no room": {first + base + sandbox("ada.one"), `line 3: sandbox "ada.one": there is no room for another ` +
			"sandbox; start the server with a larger --max-sandboxes"},
		"another replica's": {first + base + sandbox("ada.two"), `line 3: sandbox "ada.two": is not on this ` +
			"replica, one; start the server with the --replica that wrote the file, or without --sharded"},
	} {
		file := filepath.Join(directory, name)
		must.Succeed(t, os.WriteFile(file, []byte(test.text), 0o600))
		result := programtest.RunToEnd(t, "--addr", "127.0.0.1:0", "--max-memory", "48MiB", "--max-sandboxes", "1",
			"--sharded", "--replica", "one", "--keep", file)
		if result.Code != exitUsage ||
			!strings.Contains(result.Stderr, "--keep "+file+" cannot be used, and is left as it is") ||
			!strings.Contains(result.Stderr, test.want) {
			t.Errorf("%s: exit code %d, standard error %s; want 2, %s", name, result.Code, result.Stderr, test.want)
		}
		if text, err := os.ReadFile(file); string(text) != test.text {
			t.Errorf("%s: the file has become %.100q, %v", name, text, err)
		}
		if _, err := os.Stat(file + ".lock"); err == nil {
			t.Errorf("%s: a lock is left behind", name)
		}
	}
	for path, want := range map[string]string{directory: "not a regular file", os.DevNull: "not a regular file",
		filepath.Join(directory, "nowhere", "f"): "because a lock file cannot be made beside it"} {
		if result := programtest.RunToEnd(t, "--addr", "127.0.0.1:0", "--keep", path); result.Code != exitUsage ||
			!strings.Contains(result.Stderr, want) {
			t.Errorf("%s: exit code %d, standard error %s; want 2, %s", path, result.Code, result.Stderr, want)
		}
		if _, err := os.Stat(path + ".lock"); err == nil {
			t.Errorf("%s: a lock is left behind", path)
		}
	}
}

// TestKeepSurvivesKill kills the program while it writes the file, later in each round. The next
// start must find a complete file, the old or the new one.
func TestKeepSurvivesKill(t *testing.T) {
	t.Parallel()
	const rounds = 5
	directory := t.TempDir()
	file := filepath.Join(directory, "shop.keep")
	args := []string{"--keep", file, "--pets", "40000", "--categories", "8", "--orders", "10000"}
	first := programtest.StartPetstore(t, args...)
	terminate(t, first)
	whole := must.Get(os.Stat(file))(t)
	messages, torn := 0, 0
	for round := range rounds {
		p := programtest.StartPetstore(t, args...)
		if left := names(t, directory); left != "shop.keep shop.keep.lock" {
			t.Errorf("round %d: the files are %s", round, left)
		}
		a := programtest.Get(t, p.URL+"/messages", "Authorization", "Bearer demo-key")
		var got int
		if _, err := fmt.Sscan(a.Header.Get("X-Total-Count"), &got); err != nil || got != messages &&
			got != messages+1 || round == 0 && got != 0 {
			t.Fatalf("round %d: %q messages, want %d, or one more", round, a.Header.Get("X-Total-Count"), messages)
		}
		messages = got
		change(t, "POST", p.URL+"/admin/data/messages", `{"message": "one more"}`)
		must.Succeed(t, p.Cmd.Process.Signal(syscall.SIGTERM))
		killWhenWritten(t, p, file, whole.Size()*int64(round)/rounds)
		if strings.Contains(names(t, directory), ".tmp") {
			torn++
		}
	}
	t.Logf("%d of %d were killed while they wrote %d bytes", torn, rounds, whole.Size())
	if torn == 0 {
		t.Error("none was killed while it wrote")
	}
}

// killWhenWritten kills the program after it has written size bytes of the next file.
func killWhenWritten(t *testing.T, p *programtest.Process, file string, size int64) {
	t.Helper()
	defer p.Kill()
	for deadline := time.Now().Add(programtest.Patience); time.Now().Before(deadline); {
		select {
		case <-p.Done:
			return
		default:
		}
		next, _ := filepath.Glob(file + ".tmp")
		if len(next) == 0 {
			continue
		}
		if info, err := os.Stat(next[0]); err == nil && info.Size() >= size {
			return
		}
	}
	t.Error("the file is not written")
}

// TestKeepWritesEachMinute checks that the file is written only in minutes with a change, and that
// a write error is logged and does not end the program.
func TestKeepWritesEachMinute(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	file := filepath.Join(directory, "shop.keep")
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		service := must.Get(handlers.New(handlers.Config{}))(t)
		defer service.Close()
		k := must.Get((&options{Program: config.Program{Keep: file}}).
			openKeeper(slog.New(slog.NewTextHandler(&log, nil)), nil))(t)
		defer k.close()
		must.Succeed(t, k.restore(service.Sandboxes()))
		go k.run(t.Context())
		minute := func(change, want bool) {
			t.Helper()
			if change {
				service.Sandboxes().NoteChange()
			}
			time.Sleep(keepEvery)
			synctest.Wait()
			if _, err := os.Stat(file); (err == nil) != want {
				t.Errorf("the file is there: %t, want %t; the log:\n%s", err == nil, want, &log)
			}
			os.Remove(file)
		}
		minute(false, false)
		minute(true, true)
		minute(false, false)
		minute(true, true)
		if err := os.Mkdir(file, 0o700); err != nil { // a file cannot replace a directory
			t.Fatal(err)
		}
		service.Sandboxes().NoteChange()
		time.Sleep(keepEvery)
		synctest.Wait()
		if !strings.Contains(log.String(), "the sandboxes cannot be kept") {
			t.Errorf("the log says %q", &log)
		}
		os.Remove(file)
		minute(false, true) // tried again without another change
		if left := names(t, directory); left != "shop.keep.lock" {
			t.Errorf("left are %s", left)
		}
	})
}

// TestKeepOfFullServer fills a server with sandboxes until it has no memory left. A server with the same
// flags must restore all of them.
func TestKeepOfFullServer(t *testing.T) {
	t.Parallel()
	args := []string{"--keep", filepath.Join(t.TempDir(), "shop.keep"), "--max-memory", "48MiB"}
	var state strings.Builder
	state.WriteString(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [`)
	for id := range 5000 {
		fmt.Fprintf(&state, `{"id": %d, "name": "Rex", "categoryId": 1}, `, id+1)
	}
	state.WriteString(`{"id": 9999, "name": "Rex", "categoryId": 1}]}`)
	p := programtest.StartPetstore(t, args...)
	made := 0
	for ; ; made++ {
		a := programtest.Send(t, "PUT", fmt.Sprintf("%s/sandboxes/s%d/admin/state", p.URL, made),
			strings.NewReader(state.String()))
		if a.Status == 503 && made > 3 {
			break
		} else if a.Status != 200 || made > 100 {
			t.Fatalf("sandbox %d: %d %s", made, a.Status, a.Body)
		}
	}
	terminate(t, p)

	programtest.StartPetstore(t, args...).Stderr.Line("sandboxes restored")
}
