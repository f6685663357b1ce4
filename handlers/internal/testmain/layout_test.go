package testmain_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

const (
	module = "example.com/petstore"
	root   = "../../.." // of the repository
)

// layers lists the packages. A package may import packages of later layers only.
var layers = [][]string{
	{"."},
	{"handlers/command", "handlers/command/programtest", "handlers/budget", "handlers/internal/contracttest",
		"handlers/internal/browsertest"},
	{"handlers/petstoretest", "handlers/command/connections"},
	{"handlers", "handlers/extras"},
	{"handlers/mcp", "handlers/config"},
	{"handlers/admin", "handlers/docs", "handlers/middleware", "handlers/pages", "handlers/portrait"},
	{"handlers/rest", "handlers/world"},
	{"handlers/registry"},
	{"handlers/sandbox"},
	{"handlers/sandbox/journal", "handlers/sandbox/fault", "handlers/sandbox/webhook"},
	{"handlers/sandbox/lifecycle"}, // names the callers of the journal too
	{"handlers/hosts", "handlers/logs", "handlers/metrics", "handlers/sandbox/pattern", "handlers/sandbox/memory",
		"handlers/internal/testmain", "handlers/internal/must"},
	{"fixtures"},
	{"store"},
	{"store/field"},
}

func layer(dir string) int {
	return slices.IndexFunc(layers, func(dirs []string) bool { return slices.Contains(dirs, dir) })
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	must.Succeed(t, fs.WalkDir(os.DirFS(root), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && file != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
			return fs.SkipDir
		}
		if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		dir := path.Dir(file)
		seen[dir] = true
		from := layer(dir)
		if from < 0 {
			t.Errorf("%s: package %s is in no layer", file, dir)
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			to, ours := strings.CutPrefix(imported, module+"/")
			if ours && layer(to) <= from {
				t.Errorf("%s imports %s, which is not below it", file, to)
			}
			if ours && dir == "." && to != "handlers/command" {
				t.Errorf("%s imports %s; the program is handlers/command alone", file, to)
			}
		}
		return nil
	}))
	for _, dir := range []string{".", "store", "fixtures", "handlers", "handlers/rest", "handlers/petstoretest"} {
		if !seen[dir] {
			t.Errorf("no Go files seen in %s", dir)
		}
	}
}

// TestDocumentationListsFiles checks that the documentation of a package with several files lists
// each of them, and no other.
func TestDocumentationListsFiles(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`(?m)^//\t([a-z0-9_]+\.go(?:, [a-z0-9_]+\.go)*)`)
	for dir := range slices.Values(slices.Concat(layers...)) {
		sources := must.Get(filepath.Glob(filepath.Join(root, dir, "*.go")))(t)
		var files []string
		for _, source := range sources {
			if name := filepath.Base(source); name != "doc.go" && !strings.HasSuffix(name, "_test.go") {
				files = append(files, name)
			}
		}
		text, err := os.ReadFile(filepath.Join(root, dir, "doc.go"))
		if err != nil && len(files) > 1 {
			t.Errorf("%s has %d files and no doc.go that lists them", dir, len(files))
		}
		if err != nil {
			continue
		}
		var listed []string
		for _, match := range row.FindAllStringSubmatch(string(text), -1) {
			listed = append(listed, strings.Split(match[1], ", ")...)
		}
		for _, name := range files {
			if !slices.Contains(listed, name) {
				t.Errorf("%s/doc.go does not list %s", dir, name)
			}
		}
		for _, name := range listed {
			if _, err := os.Stat(filepath.Join(root, dir, name)); err != nil {
				t.Errorf("%s/doc.go lists %s, which is not there", dir, name)
			}
		}
	}
}

// TestEmbeddingImportsNoExtras checks that importing the service, or its test helper, imports neither
// packages of the command line, such as flags and progress bars, nor pages, documents and tools for
// agents, nor text/template, with which the linker keeps every exported method.
func TestEmbeddingImportsNoExtras(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "go")
	output := must.Get(exec.CommandContext(t.Context(), "go", "list", "-deps", module+"/handlers",
		module+"/handlers/petstoretest").Output())(t)
	packages := strings.Fields(string(output))
	if !slices.Contains(packages, module+"/handlers/sandbox") {
		t.Fatalf("go list prints %d packages, without handlers/sandbox", len(packages))
	}
	for _, name := range packages {
		for _, unwanted := range []string{
			module + "/handlers/command", module + "/handlers/docs", module + "/handlers/extras",
			module + "/handlers/mcp", module + "/handlers/pages",
			"github.com/spf13/pflag", "golang.org/x/term", "text/template",
		} {
			if name == unwanted || strings.HasPrefix(name, unwanted+"/") {
				t.Errorf("it pulls in %s", name)
			}
		}
	}
}

// TestUsersImportPetstoretestAlone checks that the examples of the test helper, including the
// README's, import no other package of the module, except extras where an example wants them.
func TestUsersImportPetstoretestAlone(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Glob(root + "/handlers/petstoretest/example*_test.go")
	if err != nil || examples == nil {
		t.Fatal(examples, err)
	}
	for _, file := range append(examples, root+"/README.md") {
		text := must.Get(os.ReadFile(file))(t)
		imports := regexp.MustCompile(`"`+module+`/(\S*)"`).FindAllStringSubmatch(string(text), -1)
		if imports == nil {
			t.Errorf("%s imports nothing of the module", file)
		}
		for _, imported := range imports {
			if imported[1] != "handlers/petstoretest" && imported[1] != "handlers/extras" {
				t.Errorf("%s imports %s", file, imported[1])
			}
		}
	}
}

// TestTopLevelNames checks the names in the repository's root. It skips files that
// tools create: names with a leading dot, and names that .gitignore matches.
func TestTopLevelNames(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"main.go", "store", "handlers", "fixtures", "testdata", "go.mod", "go.sum", "README.md",
		"LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Dockerfile",
		".*", "documents_test.go", // where tools look for them
	}
	ignored := must.Get(os.ReadFile(root + "/.gitignore"))(t)
	for line := range strings.FieldsSeq(string(ignored)) {
		allowed = append(allowed, strings.Trim(line, "/"))
	}
	entries := must.Get(os.ReadDir(root))(t)
	for _, entry := range entries {
		if !slices.ContainsFunc(allowed, func(pattern string) bool {
			ok, err := path.Match(pattern, entry.Name())
			return ok && err == nil
		}) {
			t.Errorf("%s does not belong to the top level", entry.Name())
		}
	}
}
