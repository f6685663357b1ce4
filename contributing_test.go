package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// imagined has the files that a reader of CONTRIBUTING.md writes or builds. They may exist.
var imagined = map[string]bool{
	"store/appointment.go": true, "fixtures/appointment.go": true, "handlers/appointments.go": true, ".release/dist": true,
}

var (
	namedFile = regexp.MustCompile("`([a-z./_]*[a-z_]+(?:\\.(?:go|md|mjs|yaml|mod)|/[a-z_]+))`")
	ciStep    = regexp.MustCompile("(?m)^\t*step '([^']+)'")
)

// TestContributingNamesWhatThereIs checks that the files and the steps of .ci/run that
// CONTRIBUTING.md names exist.
func TestContributingNamesWhatThereIs(t *testing.T) {
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
		if !hasPrefixIn(step[1], named) {
			t.Errorf("CONTRIBUTING.md does not name the step %q", step[1])
		}
	}
	for _, name := range named {
		if !isPrefixIn(name[1], steps) {
			t.Errorf("CONTRIBUTING.md names the step %q, which .ci/run has not", name[1])
		}
	}
}

func hasPrefixIn(text string, prefixes [][]string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix[1]) {
			return true
		}
	}
	return false
}

func isPrefixIn(prefix string, texts [][]string) bool {
	for _, text := range texts {
		if strings.HasPrefix(text[1], prefix) {
			return true
		}
	}
	return false
}

func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
