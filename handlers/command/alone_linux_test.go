package command

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestNeedsNothing runs the program in a directory without other files, as root in a chroot. The
// program must create no files and have none open.
func TestNeedsNothing(t *testing.T) {
	t.Parallel()
	path, err := programtest.Petstore()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	// The copy is made by another process. If this one wrote the file, processes that other tests
	// start meanwhile would inherit it open for writing, and it could not be run.
	if output, err := exec.CommandContext(t.Context(), "cp", path, filepath.Join(root, "petstore")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) {
		cmd.Dir = root
		cmd.Env = []string{"HOME=" + root, "TMPDIR=" + root}
		if os.Getuid() == 0 {
			cmd.Path, cmd.Dir, cmd.Env = "/petstore", "/", nil
			cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		}
	}, "--addr", "127.0.0.1:0")
	for _, path := range []string{"/pets", "/pets/1", "/openapi.yaml", "/docs/"} {
		if got := programtest.Get(t, p.URL+path); got.Status != http.StatusOK {
			t.Errorf("GET %s: %d, want 200", path, got.Status)
		}
	}
	descriptors, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.Cmd.Process.Pid))
	if err != nil || len(descriptors) < 4 {
		t.Fatalf("open files: %v, %v", descriptors, err)
	}
	for _, descriptor := range descriptors {
		target, err := os.Readlink(descriptor)
		if err == nil && strings.HasPrefix(target, "/") && target != "/dev/null" {
			t.Errorf("%s is open", target)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("files: %v, %v; want the program alone", entries, err)
	}
}
