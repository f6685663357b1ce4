package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

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
		s.server = programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) { cmd.Dir = s.dir }, strings.Fields(args)...)
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
					t.Errorf("%s:%d: a line of the command has %d characters, want 120 at most", page, c.line, len(line))
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
				t.Errorf("%s:%d: the paragraph before does not say to stop the server that runs: %s", page, c.line, paragraph)
			}
		}
	}
	return servers
}
