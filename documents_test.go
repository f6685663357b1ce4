package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
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
// module of their own, the two lines in go.mod, the test. The clone is this tree, under
// its own name: under any other, go compiles all packages again.
func TestImportFromClone(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "go")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	shop := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n\n", "go.sum": textOf(t, "go.sum")}
	for _, b := range blocksOf(t, "README.md") {
		switch b.language {
		case "go.mod":
			files["go.mod"] += strings.ReplaceAll(b.text, "../petstore", strconv.Quote(here))
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

// readmePath is a path of the server, alone in code or in a link.
var readmePath = regexp.MustCompile("(?:`|<http://" + readmeAddress + ")(/[a-z./]*)[`>]")

var link = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)

func TestLinksLead(t *testing.T) {
	t.Parallel()
	for _, name := range append(recipePages(t), "README.md", "CHANGELOG.md", "handlers/README.md",
		"handlers/admin/README.md", "handlers/command/README.md") {
		for _, match := range link.FindAllStringSubmatch(textOf(t, name), -1) {
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

// consoleBlocks returns the commands of a page, block by block.
func consoleBlocks(t *testing.T, page string) [][]readmeCommand {
	t.Helper()
	var all [][]readmeCommand
	for _, b := range blocksOf(t, page) {
		if b.language != "console" {
			continue
		}
		var commands []readmeCommand
		for i, line := range programtest.Lines(b.text) {
			last := len(commands) - 1
			switch text, ok := strings.CutPrefix(line, "$ "); {
			case ok:
				commands = append(commands, readmeCommand{page: b.page, line: b.line + i, text: text})
			case last < 0:
				t.Fatalf("%s:%d: the block does not begin with a command", b.page, b.line)
			case strings.HasPrefix(line, "  ") && commands[last].want == "":
				commands[last].text += "\n" + line
			default:
				commands[last].want += line + "\n"
			}
		}
		all = append(all, commands)
	}
	return all
}

// testCommand is the README's command for the tests of this project. It would run this
// test again, so .ci/run runs it instead.
const testCommand = "go test ./..."

// shell runs a page's commands one after the other, in a directory. For "go run ." it runs
// the test's binary, which starts the server for the following commands and replaces the
// previous one. The first command of a page starts one. Standard error is ignored.
type shell struct {
	dir    string
	server *programtest.Process
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
	path := programtest.Petstore.Path(t)
	address := strings.TrimPrefix(s.server.URL, "http://")
	cmd := exec.Command("sh", "-c", strings.NewReplacer(readmeAddress, address, "go run .", path).Replace(c.text))
	cmd.Dir = s.dir
	combined, _ := cmd.Output() // the output shows the exit code
	return strings.ReplaceAll(string(combined), address, readmeAddress)
}

// TestConsoleBlocks runs the commands of each page. Those of recipes need an empty directory only.
func TestConsoleBlocks(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "grep"} {
		programtest.RequireTool(t, tool)
	}
	for _, page := range append(recipePages(t), "README.md", "handlers/README.md") {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			s := shell{}
			if strings.HasPrefix(page, recipes) {
				s.dir = t.TempDir()
			}
			for _, c := range slices.Concat(consoleBlocks(t, page)...) {
				if c.text == testCommand {
					continue
				}
				if got := s.run(t, c); settled(got) != settled(c.want) {
					t.Errorf("%s:%d: $ %s\n got %s\nwant %s", page, c.line, c.text, settled(got), settled(c.want))
				}
			}
		})
	}
}

// TestFirstScreen checks that the two most important commands are on the first screen of 30 lines,
// once each. .ci/run takes the second one from there.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	at := make(map[string][]int)
	for _, c := range slices.Concat(consoleBlocks(t, "README.md")...) {
		at[c.text] = append(at[c.text], c.line)
	}
	for _, want := range []string{"go run .", testCommand} {
		if got := at[want]; len(got) != 1 || got[0] > 30 {
			t.Errorf("%q is on lines %v, want it once, in the first 30", want, got)
		}
	}
}

// TestCommandsCanBeTyped checks that lines fit, and that no command follows one that
// does not end by itself in the same block, because a reader needs another terminal. The
// text must say to stop the first server before a second one uses its port.
func TestCommandsCanBeTyped(t *testing.T) {
	t.Parallel()
	for _, page := range append(recipePages(t), "README.md") {
		text, servers := programtest.Lines(textOf(t, page)), 0
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
	}
}

// agentConfigurations matches the configurations that start the program.
var agentConfigurations = regexp.MustCompile(`\{.*"command".*\}`)

// TestAgentConfiguration starts the pet store with the configurations for coding agents in the README and the recipe.
func TestAgentConfiguration(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"README.md", recipes + "/agents.md"} {
		configs := agentConfigurations.FindAllString(textOf(t, page), -1)
		if len(configs) == 0 {
			t.Errorf("%s has no configuration", page)
		}
		for _, config := range configs {
			startAgent(t, config)
		}
	}
}

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
