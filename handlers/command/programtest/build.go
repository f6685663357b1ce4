package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

const module = "example.com/petstore"

// dir is the directory for the built programs. Run sets it before the tests.
var dir string

// Run runs the tests and returns their exit code. The TestMain of a package whose tests use a
// [Binary] must call it.
func Run(m interface{ Run() int }) int {
	var err error
	if dir, err = os.MkdirTemp("", "petstore-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	return m.Run()
}

// Binary is a program. It is built once, without the race detector, when a test first needs it.
type Binary func() (path string, err error)

// Petstore is the petstore program. Bare is a server that does nothing but write responses.
var (
	Petstore Binary = sync.OnceValues(func() (string, error) { return build("petstore", module) })
	Bare     Binary = sync.OnceValues(func() (string, error) {
		return build("bareserver", module+"/testdata/bareserver")
	})
)

// Path returns the path of the program, which it builds if necessary.
func (b Binary) Path(t testing.TB) string {
	t.Helper()
	return must.Get(b())(t)
}

// build lets `go run` copy the program instead of running it, because `go run` caches linked
// programs and `go build` does not.
func build(name, pkg string) (string, error) {
	path := filepath.Join(dir, name)
	cmd := exec.Command("go", "run", "-exec", "cp", pkg, path)
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go run %s: %w\n%s", pkg, err, output)
	}
	return path, nil
}
