package main

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

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

// TestNoStrangersPackage checks that npm fetches the package only by the owner's scope. Without the scope, npm would
// fetch a stranger's package. If both tarballs are installed by path, npm fetches nothing.
func TestNoStrangersPackage(t *testing.T) {
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

// TestRecipePagesLead checks the links of the pages.
func TestRecipePagesLead(t *testing.T) {
	t.Parallel()
	for _, page := range recipePages(t) {
		matches := link.FindAllStringSubmatch(textOf(t, page), -1)
		if len(matches) == 0 {
			t.Errorf("%s has no links", page)
		}
		for _, match := range matches {
			if _, err := os.Stat(path.Join(recipes, match[1])); err != nil && !strings.Contains(match[1], "://") {
				t.Errorf("%s links to %s: %v", page, match[1], err)
			}
		}
	}
}
