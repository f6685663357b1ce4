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

func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
