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

// TestSecurityNamesWhatThereIs wants each promise in SECURITY.md to name tests and flags
// that there are, and the README to lead there.
func TestSecurityNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	tests := make(map[string]bool)
	read := func(t *testing.T, file string) string {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	promises := read(t, "SECURITY.md")
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, match := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(read(t, file), -1) {
			tests[match[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := namedTest.FindAllStringSubmatch(promises, -1)
	if len(named) < 40 {
		t.Errorf("SECURITY.md names %d tests", len(named))
	}
	for _, match := range named {
		if !tests[match[1]] {
			t.Errorf("SECURITY.md names %s, which is no test", match[1])
		}
	}
	flags := read(t, "handlers/command/README.md")
	for _, match := range namedFlag.FindAllStringSubmatch(promises, -1) {
		if !strings.Contains(flags, "`"+match[1]) {
			t.Errorf("SECURITY.md names %s, which is not in the table of flags", match[1])
		}
	}
	if !strings.Contains(read(t, "README.md"), "(SECURITY.md") {
		t.Error("the README does not lead to SECURITY.md")
	}
	for _, row := range strings.Split(promises, "\n") {
		if cells := strings.Split(row, "|"); len(cells) == 7 && !strings.Contains(cells[1], "**") && cells[1] != " what " && !strings.HasPrefix(cells[1], " ---") && !namedTest.MatchString(cells[5]) {
			t.Errorf("no test holds %s", strings.TrimSpace(cells[1]))
		}
	}
}
