package petstoretest_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/extras"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/petstoretest"
)

// TestDocumentedTypesListFields checks that go doc lists the fields of the types that tests use most.
// It lists no fields for an alias.
func TestDocumentedTypesListFields(t *testing.T) {
	t.Parallel()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[petstoretest.Rule](), reflect.TypeFor[petstoretest.Filter](),
		reflect.TypeFor[petstoretest.Lifecycle](),
	} {
		if !strings.HasSuffix(typ.PkgPath(), "/petstoretest") {
			t.Errorf("%s is defined in %s", typ.Name(), typ.PkgPath())
		}
	}
}

// TestRootCertificatesAreNotLinked checks that a test binary does not contain the list of root certificates.
// Only the program needs it.
func TestRootCertificatesAreNotLinked(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "go")
	list, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").CombinedOutput()
	if err != nil || strings.Contains(string(list), "x509roots") {
		t.Errorf("%v, it links\n%s", err, list)
	}
}

// TestEveryAdminOperationIsAMethod compares the table in doc.go with the admin API's
// document and with the methods.
func TestEveryAdminOperationIsAMethod(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile("doc.go"))(t)
	_, table, _ := strings.Cut(string(text), "# The admin API")
	table, _, _ = strings.Cut(table, "# Files")
	methods := make(map[string][]string) // by operationId
	server := reflect.TypeFor[*petstoretest.Server]()
	for _, row := range regexp.MustCompile(`(?m)^//\t(\w+) +(.+)$`).FindAllStringSubmatch(table, -1) {
		methods[row[1]] = strings.Fields(row[2])
		for _, name := range methods[row[1]] {
			if _, ok := server.MethodByName(name); !ok && name != "Name" {
				t.Errorf("doc.go: %s: no method %s", row[1], name)
			}
		}
	}
	document := get[struct {
		Paths map[string]map[string]json.RawMessage
	}](t, petstoretest.Run(t, petstoretest.WithConfig(extras.Add)), "/admin/openapi.json")
	operations := 0
	for _, path := range document.Paths {
		delete(path, "parameters") // shared by all operations of the path
		for _, text := range path {
			var op struct{ OperationID string }
			must.Succeed(t, json.Unmarshal(text, &op))
			operations++
			if len(methods[op.OperationID]) == 0 {
				t.Errorf("doc.go does not say which method is %q", op.OperationID)
			}
		}
	}
	if operations == 0 || operations != len(methods) {
		t.Errorf("the document has %d operations, doc.go %d", operations, len(methods))
	}
}

// TestEveryMethodIsInAnExample checks that at least one example uses each method.
func TestEveryMethodIsInAnExample(t *testing.T) {
	t.Parallel()
	files := must.Get(filepath.Glob("example*_test.go"))(t)
	examples := ""
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		examples += string(text)
	}
	for method := range reflect.TypeFor[*petstoretest.Server]().Methods() {
		if !strings.Contains(examples, "."+method.Name+"(") {
			t.Errorf("no example shows %s", method.Name)
		}
	}
	for _, body := range regexp.MustCompile(`(?ms)^func (Example\w+)\(\) \{\n(.*?)^\}`).
		FindAllStringSubmatch(examples, -1) {
		if n := strings.Count(body[2], "\n"); n > 20 {
			t.Errorf("%s has %d lines, want 20 or fewer", body[1], n)
		}
	}
}

// TestMethodsTakeTypesOfThisPackage checks that exported signatures use only types
// that are available by importing this package alone.
func TestMethodsTakeTypesOfThisPackage(t *testing.T) {
	t.Parallel()
	files := must.Get(filepath.Glob("*.go"))(t)
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		syntax := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
		ours := make(map[string]bool) // packages of the module that the file imports
		for _, spec := range syntax.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil &&
				strings.HasPrefix(name, "example.com/petstore/") {
				ours[path.Base(name)] = true
			}
		}
		for _, declaration := range syntax.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			seen++
			ast.Inspect(f.Type, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && ours[s.X.(*ast.Ident).Name] {
					t.Errorf("%s: %s names %s.%s; give it a name in types.go", file, f.Name, s.X, s.Sel)
				}
				return true
			})
		}
	}
	if seen == 0 {
		t.Error("no function is looked at")
	}
}
