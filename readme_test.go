package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

func readmeBlocks(t *testing.T) []block {
	t.Helper()
	return blocksOf(t, "README.md")
}

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

func readme(t *testing.T) string {
	t.Helper()
	return textOf(t, "README.md")
}

// TestEveryBlockIsChecked checks that a test reads every block.
func TestEveryBlockIsChecked(t *testing.T) {
	t.Parallel()
	count := make(map[string]int)
	for _, b := range readmeBlocks(t) {
		count[b.language]++
		if b.language != "console" && b.language != "go" && b.language != "go.mod" && b.language != "json" {
			t.Errorf("README.md:%d: no test reads a block of %q", b.line, b.language)
		}
	}
	if count["console"] < 5 || count["go"] != 1 || count["go.mod"] != 1 || count["json"] != 1 {
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
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n\n", "go.sum": string(sums)}
	for _, b := range readmeBlocks(t) {
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
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > time.Hour { // left by a run that was killed
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
	for _, name := range []string{"README.md", "CHANGELOG.md", "handlers/README.md", "handlers/admin/README.md", "handlers/command/README.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		matches := link.FindAllStringSubmatch(string(text), -1)
		if len(matches) == 0 {
			t.Errorf("%s has no links", name)
		}
		for _, match := range matches {
			if strings.Contains(match[1], "://") {
				continue // of other sites, which the test does not request
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), match[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, match[1], err)
			}
		}
	}
	p := programtest.StartPetstore(t, "--workshop") // serves all paths
	for _, match := range readmePath.FindAllStringSubmatch(readme(t), -1) {
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

// table returns the cells of the table with the header, without the header.
func table(t *testing.T, name, header string) [][]string {
	t.Helper()
	_, rest, ok := strings.Cut(textOf(t, name), "\n"+header+"\n")
	if !ok {
		t.Fatalf("%s has no table with the header %s", name, header)
	}
	var rows [][]string
	for _, line := range programtest.Lines(rest)[1:] {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			break
		}
		rows = append(rows, []string{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])})
	}
	return rows
}
