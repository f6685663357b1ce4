package pages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesUseTheWordsOfHTTP checks that replaced wordings do not return.
func TestPagesUseTheWordsOfHTTP(t *testing.T) {
	t.Parallel()
	replaced := []string{
		"Keep the data now", "Kept as", "Return to it", "The data is that of", "Drop…", "Drop it", "Everything normal", `"for ever"`, "Times at most",
		"Wait, in ms", "and up to so many ms more", "Status of the answer", "does not run first", "the first rule that fits is applied",
		"Make this a fault", "is as it was made", "Leave it as it is", "Forget the requests?", "Forget them", "Not done.", "has written meanwhile",
		"Key of its own", "Fresh ones again", "Take a copy of", "goes on", "Who uses what is deprecated", "Press to connect anew",
		"has been idle for too long", `title="Answer"`, ">Answer<",
	}
	for _, pattern := range []string{"shell/*.js", "dashboard/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, words := range replaced {
				for i, line := range strings.Split(string(text), "\n") {
					if code, _, _ := strings.Cut(line, "// "); strings.Contains(code, words) && !strings.Contains(line, "/**") && !strings.HasPrefix(strings.TrimSpace(line), "*") {
						t.Errorf("%s:%d says %q", file, i+1, words)
					}
				}
			}
		}
	}
}
