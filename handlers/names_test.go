package handlers_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// root is the repository.
const root = ".."

// read returns the text of a file of the repository.
func read(t *testing.T, file string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join(root, file)))(t))
}

// described returns the operations of the two documents in the format of the table. Operations of
// the service have the names that fault rules and the journal use.
func described() []string {
	var all []string
	for _, d := range []*Document{ServiceDocument(), AdminDocument()} {
		for path, item := range d.Paths.Map() {
			for method, op := range item.Operations() {
				line := fmt.Sprintf("%s `%s`", path, method)
				if d == ServiceDocument() {
					line += " " + op.OperationID
				}
				if op.Deprecated {
					line += " (deprecated)"
				}
				if stability, ok := op.Extensions["x-stability"].(string); ok {
					line += " (" + stability + ")"
				}
				all = append(all, line)
			}
		}
	}
	return all
}

func TestAPITable(t *testing.T) {
	t.Parallel()
	var got []string
	for _, name := range []string{"handlers/README.md", "handlers/admin/README.md"} {
		for _, row := range tableOf(read(t, name), "what it is") {
			cells := strings.Split(row, "|")
			for method := range strings.SplitSeq(strings.TrimSpace(cells[2]), ", ") {
				got = append(got, strings.Trim(cells[1], " `")+" "+method)
			}
		}
	}
	want := described()
	if len(want) < 25 {
		t.Fatalf("the documents have %d operations", len(want))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tables of README.md and admin/README.md, -OpenAPI +tables:\n%s", diff)
	}
}

// tableOf returns the rows of the table whose header ends in the column.
func tableOf(text, column string) []string {
	_, rest, ok := strings.Cut(text, "| "+column+" |\n")
	if !ok {
		return nil
	}
	var rows []string
	for _, line := range strings.Split(rest, "\n")[1:] {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows = append(rows, line)
	}
	return rows
}

// fetchesPackage matches a command by which npm would fetch a package called petstore-sandbox.
var fetchesPackage = regexp.MustCompile(`(npx|npm install)( -\S+)* petstore-sandbox($|[^@\w-])`)

// TestPackageNamesAreOurs checks that npm fetches the package only by the owner's scope. Without the scope, npm would
// fetch a stranger's package. If both tarballs are installed by path, npm fetches nothing.
func TestPackageNamesAreOurs(t *testing.T) {
	t.Parallel()
	scoped := 0
	pages := must.Get(fs.Glob(os.DirFS(root), "testdata/recipes/*.md"))(t)
	for _, page := range append(pages, "README.md", ".release/npm/petstore-sandbox/README.md") {
		text := read(t, page)
		scoped += strings.Count(text, "npx @OWNER/petstore-sandbox")
		for _, paragraph := range strings.Split(text, "\n\n") {
			if command := fetchesPackage.FindString(paragraph); command != "" && !strings.Contains(paragraph, ".tgz") {
				t.Errorf("%s says %s", page, command)
			}
		}
	}
	if scoped < 3 {
		t.Errorf("the pages have %d commands with the scope", scoped)
	}
}

const (
	pythonSources = ".release/python/petstore_sandbox/"
	javaSources   = ".release/java/src/com/example/petstore/"
)

// clients has the sources of each client, and the format in which it declares a method.
var clients = map[string]struct {
	sources []string
	method  string
}{
	"JavaScript": {[]string{".release/npm/src/index.ts", ".release/npm/src/sandbox.ts", ".release/npm/src/clock.ts"},
		`(?m)^  (?:async |get )?%[(<]`},
	"Python": {[]string{pythonSources + "_clock.py", pythonSources + "_sandbox.py", pythonSources + "_store.py"},
		`(?m)^    def %\(`},
	"Java": {[]string{javaSources + "AnySandbox.java", javaSources + "Clock.java", javaSources + "Sandbox.java",
		javaSources + "Store.java"}, `(?m)^  public [\w<>]+ %\(`},
}

var (
	tableRow = regexp.MustCompile("(?m)^\\| [^|]* \\| (`\\w+`(?:, `\\w+`)*) \\|$")
	code     = regexp.MustCompile("`(\\w+)`")
	capital  = regexp.MustCompile(`[A-Z]`)
)

// TestClientsShareNames checks that the clients for JavaScript, Python and Java have every method
// that the page of tests lists, by the same name.
func TestClientsShareNames(t *testing.T) {
	t.Parallel()
	var names []string
	for _, row := range tableRow.FindAllStringSubmatch(read(t, "testdata/recipes/tests.md"), -1) {
		for _, name := range code.FindAllStringSubmatch(row[1], -1) {
			names = append(names, name[1])
		}
	}
	if len(names) < 20 {
		t.Fatalf("the page lists %q", names)
	}
	for language, client := range clients {
		var text strings.Builder
		for _, source := range client.sources {
			text.WriteString(read(t, source))
		}
		for _, name := range names {
			if language == "Python" {
				name = capital.ReplaceAllStringFunc(name, func(letter string) string {
					return "_" + strings.ToLower(letter)
				})
			}
			if !regexp.MustCompile(strings.ReplaceAll(client.method, "%", name)).MatchString(text.String()) {
				t.Errorf("the client for %s has no method %s", language, name)
			}
		}
	}
}

// imagined has the files that a reader of CONTRIBUTING.md writes or builds. They may exist.
var imagined = map[string]bool{
	"store/appointment.go": true, "fixtures/appointment.go": true, "handlers/appointments.go": true,
	".release/dist": true,
}

var (
	namedFile = regexp.MustCompile("`([a-z./_]*[a-z_]+(?:\\.(?:go|md|js|mjs|py|yaml|mod)|/[a-z_]+))`")
	ciStep    = regexp.MustCompile("(?m)^\t*step '([^']+)'")
)

// TestContributingNamesExist checks that the files and the steps of .ci/run that
// CONTRIBUTING.md names exist.
func TestContributingNamesExist(t *testing.T) {
	t.Parallel()
	text := read(t, "CONTRIBUTING.md")
	files := namedFile.FindAllStringSubmatch(text, -1)
	if len(files) < 30 {
		t.Errorf("CONTRIBUTING.md names %d files", len(files))
	}
	for _, match := range files {
		if _, err := os.Stat(filepath.Join(root, match[1])); err != nil && !imagined[match[1]] {
			t.Errorf("CONTRIBUTING.md names %s: %v", match[1], err)
		}
	}
	_, section, _ := strings.Cut(text, "## What CI does")
	section, _, _ = strings.Cut(section, "\n## ")
	named := regexp.MustCompile("`([A-Z][^`]+|go vet|gofmt|staticcheck)`").FindAllStringSubmatch(section, -1)
	steps := ciStep.FindAllStringSubmatch(read(t, ".ci/run"), -1)
	if len(named) == 0 || len(steps) == 0 {
		t.Fatalf("%d steps are named, .ci/run has %d", len(named), len(steps))
	}
	for _, step := range steps {
		if !slices.ContainsFunc(named, func(name []string) bool { return strings.HasPrefix(step[1], name[1]) }) {
			t.Errorf("CONTRIBUTING.md does not name the step %q", step[1])
		}
	}
	for _, name := range named {
		if !slices.ContainsFunc(steps, func(step []string) bool { return strings.HasPrefix(step[1], name[1]) }) {
			t.Errorf("CONTRIBUTING.md names the step %q, which .ci/run has not", name[1])
		}
	}
}

var (
	namedTest = regexp.MustCompile("`(Test\\w+)`")
	namedFlag = regexp.MustCompile("`(--[a-z-]+)`")
)

// securityPages lists SECURITY.md and the pages with details to which it links.
var securityPages = []string{
	"SECURITY.md", "handlers/middleware/README.md", "handlers/admin/README.md", "handlers/command/README.md",
	"handlers/command/BOUNDS.md", "handlers/rest/BOUNDS.md", "handlers/sandbox/BOUNDS.md",
}

// TestSecurityNamesExist checks that the tests and flags named by the promises in SECURITY.md
// and its linked pages exist, and that the README links to SECURITY.md.
func TestSecurityNamesExist(t *testing.T) {
	t.Parallel()
	tests := testsOf(t)
	flags := read(t, "handlers/command/README.md")
	named, rows := 0, 0
	for _, page := range securityPages {
		text := read(t, page)
		for _, match := range namedTest.FindAllStringSubmatch(text, -1) {
			named++
			if !tests[match[1]] {
				t.Errorf("%s names %s, which is no test", page, match[1])
			}
		}
		for _, match := range namedFlag.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(flags, "`"+match[1]) {
				t.Errorf("%s names %s, which is not in the table of flags", page, match[1])
			}
		}
		if page != "SECURITY.md" && !strings.Contains(read(t, "SECURITY.md"), "("+page) {
			t.Errorf("SECURITY.md does not lead to %s", page)
		}
		for _, row := range tableOf(text, "checked by") {
			rows++
			if !namedTest.MatchString(row) {
				t.Errorf("%s: no test checks %s", page, row)
			}
		}
	}
	if named < 180 || rows < 60 {
		t.Errorf("the pages name %d tests, and have %d promises in tables", named, rows)
	}
	if !strings.Contains(read(t, "README.md"), "(SECURITY.md") {
		t.Error("the README does not lead to SECURITY.md")
	}
}

// testsOf returns the names of all tests.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	tests := make(map[string]bool)
	must.Succeed(t, fs.WalkDir(os.DirFS(root), ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, match := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(read(t, file), -1) {
			tests[match[1]] = true
		}
		return nil
	}))
	return tests
}
