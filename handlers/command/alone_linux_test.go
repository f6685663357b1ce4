package command

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestProgramNeedsNoFiles runs the program in an empty directory. The program must have no files open and,
// without --keep, leave none behind. The image has no other files either (.ci/run builds it and runs it).
func TestProgramNeedsNoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) {
		cmd.Dir = dir
		cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir}
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
		runtimes := target == "/dev/null" || strings.HasPrefix(target, "/sys/fs/cgroup/") // the limit of processors
		if err == nil && strings.HasPrefix(target, "/") && !runtimes {
			t.Errorf("%s is open", target)
		}
	}
	change(t, http.MethodDelete, p.URL+"/pets/7", "")
	terminate(t, p)
	if left := names(t, dir); left != "" {
		t.Errorf("it has written %s", left)
	}
}
