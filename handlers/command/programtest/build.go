package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const module = "example.com/petstore"

// dir is the directory of the built programs. Run sets it before the tests.
var dir string

// Run runs the tests and returns their exit code. TestMain of a package whose tests run a
// program calls it.
func Run(m interface{ Run() int }) int {
	var err error
	if dir, err = os.MkdirTemp("", "petstore-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	return m.Run()
}

// Binary is a program, built for the first test that needs it, as the README runs petstore and
// without the race detector.
type Binary func() (path string, err error)

// Petstore is the program. Bare is a server that does nothing but write responses.
var (
	Petstore Binary = sync.OnceValues(func() (string, error) { return build("petstore", module) })
	Bare     Binary = sync.OnceValues(func() (string, error) { return build("bareserver", module+"/testdata/bareserver") })
)

// Path returns the path of the program.
func (b Binary) Path(t testing.TB) string {
	t.Helper()
	path, err := b()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// build makes `go run` copy the program instead of running it, because `go run` caches linked
// programs and `go build` does not.
func build(name, pkg string) (string, error) {
	path := filepath.Join(dir, name)
	cmd := exec.Command("go", "run", "-exec", "cp", pkg, path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go run %s: %w\n%s", pkg, err, output)
	}
	return path, nil
}
