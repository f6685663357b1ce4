package main

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest = regexp.MustCompile("`(Test\\w+)`")
	namedFlag = regexp.MustCompile("`(--[a-z-]+)`")
)

// securityPages lists SECURITY.md and the pages with details to which it links.
var securityPages = []string{
	"SECURITY.md", "handlers/middleware/README.md", "handlers/admin/README.md", "handlers/command/README.md",
	"handlers/command/BOUNDS.md", "handlers/rest/BOUNDS.md", "handlers/sandbox/BOUNDS.md",
}

// TestSecurityNamesWhatThereIs checks that the tests and flags named by the promises in SECURITY.md
// and its linked pages exist, and that the README links to SECURITY.md.
func TestSecurityNamesWhatThereIs(t *testing.T) {
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
	if !strings.Contains(readme(t), "(SECURITY.md") {
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
