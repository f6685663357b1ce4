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

// dir holds the programs that are built. Run sets it, before the tests.
var dir string

// Run runs the tests and returns their exit code. A package whose tests run a
// program calls it in its TestMain.
func Run(m interface{ Run() int }) int {
	var err error
	if dir, err = os.MkdirTemp("", "petstore-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	return m.Run()
}

// Binary is a program that is built when the first test wants it: as the README
// says to run petstore, and without the race detector.
type Binary func() (path string, err error)

// Petstore is the program, Bare a server that does nothing else.
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

// build has go run copy the program instead of running it: unlike go build, it keeps in
// its cache what it has linked.
func build(name, pkg string) (string, error) {
	path := filepath.Join(dir, name)
	cmd := exec.Command("go", "run", "-exec", "cp", pkg, path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go run %s: %w\n%s", pkg, err, output)
	}
	return path, nil
}
