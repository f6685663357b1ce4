package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
)

func TestMain(m *testing.M) { os.Exit(programtest.Run(m)) }

// block is a fenced block of a page.
type block struct {
	page           string // its file
	line           int    // of its first line, from 1
	language, text string
}

var fence = regexp.MustCompile("^```(\\S*)$")

func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	var blocks []block
	inside := false
	for i, line := range programtest.Lines(textOf(t, page)) {
		switch match := fence.FindStringSubmatch(line); {
		case match != nil && inside:
			inside = false
		case match != nil:
			inside = true
			blocks = append(blocks, block{page: page, line: i + 2, language: match[1]})
		case inside:
			blocks[len(blocks)-1].text += line + "\n"
		}
	}
	return blocks
}

// TestDocumentedBlocksAreChecked checks that a test reads every block.
func TestDocumentedBlocksAreChecked(t *testing.T) {
	t.Parallel()
	count := make(map[string]int)
	for _, b := range blocksOf(t, "README.md") {
		count[b.language]++
	}
	if len(count) != 4 || count["console"] < 5 || count["go"] != 1 || count["go.mod"] != 1 || count["json"] != 1 {
		t.Errorf("README.md has blocks %v, want 5 or more of console, one each of go, go.mod and json", count)
	}
}

// TestImportFromClone follows the README's instructions for users of petstoretest: a
// module of their own, a clone beside it, the two lines in go.mod, the test. The clone
// uses the same module versions as this one.
func TestImportFromClone(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "go")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	parent := sameDir(t, here)
	if err := os.Symlink(here, filepath.Join(parent, "petstore")); err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(parent, "shop")
	if err := os.Mkdir(shop, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n\n", "go.sum": textOf(t, "go.sum")}
	for _, b := range blocksOf(t, "README.md") {
		switch b.language {
		case "go.mod":
			files["go.mod"] += b.text
		case "go":
			files["shop_test.go"] = b.text
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(shop, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "-mod=mod", ".")
	cmd.Dir = shop
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	output, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "--- PASS: TestShop") {
		t.Errorf("go test of the README's module: %v\n%s", err, output)
	}
}

// sameDir returns an empty directory with the same path in every run of this checkout, so
// that the build cache applies. It returns another one while that directory is in use.
func sameDir(t *testing.T, here string) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("petstore-shop-%x", sha256.Sum256([]byte(here)))[:30])
	// Left by a run that was killed.
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > time.Hour {
		os.RemoveAll(dir)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// readmePath is a path of the server, alone in code or in a link.
var readmePath = regexp.MustCompile("(?:`|<http://" + readmeAddress + ")(/[a-z./]*)[`>]")

var link = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)

func TestLinksLead(t *testing.T) {
	t.Parallel()
	for _, name := range append(recipePages(t), "README.md", "CHANGELOG.md", "handlers/README.md",
		"handlers/admin/README.md", "handlers/command/README.md") {
		matches := link.FindAllStringSubmatch(textOf(t, name), -1)
		if len(matches) == 0 {
			t.Errorf("%s has no links", name)
		}
		for _, match := range matches {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), match[1])); err != nil &&
				!strings.Contains(match[1], "://") {
				t.Errorf("%s links to %s: %v", name, match[1], err)
			}
		}
	}
	p := programtest.StartPetstore(t, "--workshop") // serves all paths
	for _, match := range readmePath.FindAllStringSubmatch(textOf(t, "README.md"), -1) {
		response, err := http.Head(p.URL + match[1]) // a stream's body has no end
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode == http.StatusNotFound {
			t.Errorf("README.md names %s, which is not there", match[1])
		}
	}
}

// volatile has the parts of an output that differ between runs. Each has a placeholder
// that replaces it on both sides of a comparison.
var volatile = []struct {
	pattern *regexp.Regexp
	stands  string
}{
	{regexp.MustCompile(`\r`), ""},
	{regexp.MustCompile(`Date: .*`), "Date: DATE"},
	{regexp.MustCompile(`"(createdAt|now)":"[^"]*"`), `"$1":"TIME"`},
	{regexp.MustCompile(`"uptimeSeconds":[0-9.]+`), `"uptimeSeconds":0`},
	{regexp.MustCompile(`"memory":\{[^}]*\}`), `"memory":{}`},
	{regexp.MustCompile(`"version":"[^"]*"`), `"version":"VERSION"`},
}

func settled(output string) string {
	for _, v := range volatile {
		output = v.pattern.ReplaceAllString(output, v.stands)
	}
	return strings.TrimSpace(output)
}

// readmeAddress is the address of the README's servers. The servers of the tests listen
// on free ports.
const readmeAddress = "127.0.0.1:8080"

// readmeCommand is a command of a console block and what it prints. Its lines after the
// first are indented.
type readmeCommand struct {
	page       string // its file
	line       int    // from 1
	text, want string
}

// startsServer reports whether the command serves until it is stopped, and returns
// its arguments. The README runs a clone, other pages the program.
func (c readmeCommand) startsServer() (args string, ok bool) {
	if args, ok = strings.CutPrefix(c.text, "go run ."); !ok {
		args, ok = strings.CutPrefix(c.text, "petstore")
	}
	return args, ok && !strings.Contains(args, "--wait-ready")
}

// commands returns the commands of a console block.
func (b block) commands(t *testing.T) []readmeCommand {
	t.Helper()
	var all []readmeCommand
	for i, line := range programtest.Lines(b.text) {
		switch text, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			all = append(all, readmeCommand{page: b.page, line: b.line + i, text: text})
		case len(all) == 0:
			t.Fatalf("%s:%d: the block does not begin with a command", b.page, b.line)
		case strings.HasPrefix(line, "  ") && all[len(all)-1].want == "":
			all[len(all)-1].text += "\n" + line
		default:
			all[len(all)-1].want += line + "\n"
		}
	}
	return all
}

// consoleBlocks returns the commands of a page, block by block.
func consoleBlocks(t *testing.T, page string) [][]readmeCommand {
	t.Helper()
	var all [][]readmeCommand
	for _, b := range blocksOf(t, page) {
		if b.language == "console" {
			all = append(all, b.commands(t))
		}
	}
	return all
}

// testCommand is the README's command for the tests of this project. It would run this
// test again, so .ci/run runs it instead.
const testCommand = "go test ./..."

// shell runs a page's commands one after the other, in a directory. For "go run ." it runs
// the test's binary, which starts the server for the following commands and replaces the
// previous one. Standard error is ignored.
type shell struct {
	dir    string
	server *programtest.Process
}

// runAll runs the commands of a page, and compares their output.
func (s *shell) runAll(t *testing.T, page string) {
	t.Helper()
	for _, block := range consoleBlocks(t, page) {
		for _, c := range block {
			if c.text == testCommand {
				continue
			}
			if got := s.run(t, c); settled(got) != settled(c.want) {
				t.Errorf("%s:%d: $ %s\n got %s\nwant %s", page, c.line, c.text, settled(got), settled(c.want))
			}
		}
	}
}

func (s *shell) run(t *testing.T, c readmeCommand) (output string) {
	t.Helper()
	if args, ok := c.startsServer(); ok {
		args := strings.ReplaceAll(args, ":8080", ":0")
		if !strings.Contains(args, "--addr") {
			args += " --addr 127.0.0.1:0"
		}
		s.server = programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) { cmd.Dir = s.dir },
			strings.Fields(args)...)
		return strings.ReplaceAll(s.server.Stdout.String(), strings.TrimPrefix(s.server.URL, "http://"), readmeAddress)
	}
	if s.server == nil {
		t.Fatalf("%s:%d: no server runs yet for %s", c.page, c.line, c.text)
	}
	path := programtest.Petstore.Path(t)
	address := strings.TrimPrefix(s.server.URL, "http://")
	cmd := exec.Command("sh", "-c", strings.NewReplacer(readmeAddress, address, "go run .", path).Replace(c.text))
	cmd.Dir = s.dir
	combined, _ := cmd.Output() // the output shows the exit code
	return strings.ReplaceAll(string(combined), address, readmeAddress)
}

func TestConsoleBlocks(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "grep"} {
		programtest.RequireTool(t, tool)
	}
	for _, page := range []string{"README.md", "handlers/README.md"} {
		new(shell).runAll(t, page)
	}
}

// TestFirstScreen checks that the two most important commands are on the first screen,
// once each. .ci/run takes the second one from there.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	const screen = 30
	at := make(map[string][]int)
	for _, block := range consoleBlocks(t, "README.md") {
		for _, c := range block {
			at[c.text] = append(at[c.text], c.line)
		}
	}
	for _, want := range []string{"go run .", testCommand} {
		if got := at[want]; len(got) != 1 || got[0] > screen {
			t.Errorf("%q is on lines %v, want it once, in the first %d", want, got, screen)
		}
	}
}

// TestCommandsCanBeTyped checks that lines fit, and that no command follows one that
// does not end by itself in the same block, because a reader needs another terminal. The
// text must say to stop the first server before a second one uses its port.
func TestCommandsCanBeTyped(t *testing.T) {
	t.Parallel()
	if servers := checkCommandsCanBeTyped(t, "README.md"); servers < 1 {
		t.Errorf("%d commands start a server, want 1 or more", servers)
	}
}

// checkCommandsCanBeTyped returns the number of servers that the page starts.
func checkCommandsCanBeTyped(t *testing.T, page string) (servers int) {
	t.Helper()
	text := programtest.Lines(textOf(t, page))
	for _, block := range consoleBlocks(t, page) {
		for _, c := range block {
			for line := range strings.Lines(c.text) {
				if len(line) > 120 {
					t.Errorf("%s:%d: a line of the command has %d characters, want 120 at most", page, c.line,
						len(line))
				}
			}
			if _, ok := c.startsServer(); !ok {
				continue
			}
			if servers++; len(block) > 1 {
				t.Errorf("%s:%d: %s shares its block with commands for another terminal", page, c.line, c.text)
			}
			paragraph := strings.Join(text[max(0, c.line-5):c.line-2], " ")
			if servers > 1 && !strings.Contains(paragraph, "Ctrl-C") {
				t.Errorf("%s:%d: the paragraph before does not say to stop the server that runs: %s", page, c.line,
					paragraph)
			}
		}
	}
	return servers
}

// TestAgentConfiguration starts the pet store with the configurations for coding agents in the README and the recipe.
func TestAgentConfiguration(t *testing.T) {
	t.Parallel()
	for _, b := range blocksOf(t, "README.md") {
		if b.language != "json" {
			continue
		}
		for _, line := range programtest.Lines(b.text) {
			startAgent(t, line)
		}
	}
	for _, config := range agentConfigurations.FindAllString(textOf(t, recipes+"/agents.md"), -1) {
		startAgent(t, config)
	}
}

// agentConfigurations matches the configurations that start the program.
var agentConfigurations = regexp.MustCompile(`\{.*"command".*\}`)

// startAgent starts the server of a configuration and pings it.
func startAgent(t *testing.T, text string) {
	t.Helper()
	type server struct {
		Command string
		Args    []string
	}
	var config map[string]map[string]server // by the agent's own name for servers
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	var agent server
	for _, servers := range config {
		agent = servers["petstore"]
	}
	if npx := []string{"-y", "@OWNER/petstore-sandbox"}; agent.Command == "npx" && len(agent.Args) > len(npx) &&
		slices.Equal(agent.Args[:len(npx)], npx) {
		agent.Command, agent.Args = "petstore", agent.Args[len(npx):] // the package of npm starts the program
	}
	if agent.Command != "petstore" {
		t.Fatalf("the agent starts %+v", agent)
	}
	cmd := exec.CommandContext(t.Context(), programtest.Petstore.Path(t), agent.Args...)
	cmd.Stdin = strings.NewReader(`{"jsonrpc": "2.0", "id": 1, "method": "ping"}` + "\n")
	output, err := cmd.Output()
	if got := strings.TrimSpace(string(output)); err != nil || got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Errorf("a ping is answered %q, %v", got, err)
	}
}

// apiOperation has the fields of an operation of the document that the test reads.
type apiOperation struct {
	OperationID string `json:"operationId"`
	Deprecated  bool
	Stability   string `json:"x-stability"`
}

// described returns the operations of the two documents in the format of the table.
// Operations of the service have the names that fault rules and the journal use.
func described(t *testing.T) []string {
	t.Helper()
	p := programtest.StartPetstore(t)
	var all []string
	for _, name := range []string{"/openapi.json", "/admin/openapi.json"} {
		var document struct {
			Paths map[string]map[string]json.RawMessage
		}
		if err := json.Unmarshal([]byte(programtest.Get(t, p.URL+name).Body), &document); err != nil {
			t.Fatal(err)
		}
		for path, item := range document.Paths {
			for method, raw := range item {
				if !slices.Contains([]string{"get", "put", "post", "patch", "delete"}, method) {
					continue // parameters of all methods
				}
				var operation apiOperation
				if err := json.Unmarshal(raw, &operation); err != nil {
					t.Fatal(err)
				}
				line := fmt.Sprintf("%s `%s`", path, strings.ToUpper(method))
				if name == "/openapi.json" {
					line += " " + operation.OperationID
				}
				if operation.Deprecated {
					line += " (deprecated)"
				}
				if operation.Stability != "" {
					line += " (" + operation.Stability + ")"
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
		for _, row := range tableOf(textOf(t, name), "what it is") {
			cells := strings.Split(row, "|")
			for method := range strings.SplitSeq(strings.TrimSpace(cells[2]), ", ") {
				got = append(got, strings.Trim(cells[1], " `")+" "+method)
			}
		}
	}
	want := described(t)
	if len(want) < 25 {
		t.Fatalf("the documents have %d operations", len(want))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tables of the API, -OpenAPI +tables:\n%s", diff)
	}
}

// recipes is the directory with a page for each kind of user, and the files that the pages use.
const recipes = "testdata/recipes"

func recipePages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(recipes + "/*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("the pages are %q: %v", pages, err)
	}
	return pages
}

// TestRecipePages runs the commands of each page in an empty directory.
func TestRecipePages(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "grep"} {
		programtest.RequireTool(t, tool)
	}
	for _, page := range recipePages(t) {
		t.Run(path.Base(page), func(t *testing.T) {
			t.Parallel()
			checkCommandsCanBeTyped(t, page)
			s := shell{dir: t.TempDir()}
			s.runAll(t, page)
		})
	}
}

// fetchesPackage matches a command by which npm would fetch a package called petstore-sandbox.
var fetchesPackage = regexp.MustCompile(`(npx|npm install)( -\S+)* petstore-sandbox($|[^@\w-])`)

// TestPackageNamesAreOurs checks that npm fetches the package only by the owner's scope. Without the scope, npm would
// fetch a stranger's package. If both tarballs are installed by path, npm fetches nothing.
func TestPackageNamesAreOurs(t *testing.T) {
	t.Parallel()
	scoped := 0
	for _, page := range append(recipePages(t), "README.md", ".release/npm/petstore-sandbox/README.md") {
		text := textOf(t, page)
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

// TestRecipePagesQuote checks that the code in the pages is quoted from the recipes, which CI runs.
func TestRecipePagesQuote(t *testing.T) {
	t.Parallel()
	var files [][]byte
	err := fs.WalkDir(os.DirFS(recipes), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) == ".md" {
			return err
		}
		text, err := os.ReadFile(path.Join(recipes, name))
		files = append(files, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for _, page := range recipePages(t) {
		for _, b := range blocksOf(t, page) {
			if b.language == "console" || b.language == "sh" {
				continue
			}
			quoted++
			if !slices.ContainsFunc(files, func(text []byte) bool { return bytes.Contains(text, []byte(b.text)) }) {
				t.Errorf("%s:%d: no recipe has this:\n%s", page, b.line, b.text)
			}
		}
	}
	if quoted < 8 {
		t.Errorf("the pages have %d pieces of code", quoted)
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
	for _, row := range tableRow.FindAllStringSubmatch(textOf(t, recipes+"/tests.md"), -1) {
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
			text.WriteString(textOf(t, source))
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
	text := textOf(t, "CONTRIBUTING.md")
	files := namedFile.FindAllStringSubmatch(text, -1)
	if len(files) < 30 {
		t.Errorf("CONTRIBUTING.md names %d files", len(files))
	}
	for _, match := range files {
		if _, err := os.Stat(match[1]); err != nil && !imagined[match[1]] {
			t.Errorf("CONTRIBUTING.md names %s: %v", match[1], err)
		}
	}
	_, section, _ := strings.Cut(text, "## What CI does")
	section, _, _ = strings.Cut(section, "\n## ")
	named := regexp.MustCompile("`([A-Z][^`]+|go vet|gofmt|staticcheck)`").FindAllStringSubmatch(section, -1)
	steps := ciStep.FindAllStringSubmatch(textOf(t, ".ci/run"), -1)
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

func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
	flags := textOf(t, "handlers/command/README.md")
	named, rows := 0, 0
	for _, page := range securityPages {
		text := textOf(t, page)
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
		if page != "SECURITY.md" && !strings.Contains(textOf(t, "SECURITY.md"), "("+page) {
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
	if !strings.Contains(textOf(t, "README.md"), "(SECURITY.md") {
		t.Error("the README does not lead to SECURITY.md")
	}
}

// testsOf returns the names of all tests.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	tests := make(map[string]bool)
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, match := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(textOf(t, file), -1) {
			tests[match[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
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
