package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestDataThatCannotFitIsRefusedAtOnce checks that a start with more data than --max-memory allows
// fails before all of the data is generated or read.
func TestDataThatCannotFitIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	large := filepath.Join(t.TempDir(), "large.json")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxPipe+1); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"fakes": {[]string{"--max-memory", "64MiB", "--pets", "9000000"}, "--max-memory of 64MiB is too little for so many records; allow at least 1321MiB, or start with fewer"},
		"a device that is read without end": {
			[]string{"--max-memory", "1GiB", "--fixtures", "/dev/zero"},
			"--fixtures: /dev/zero has more than 64MiB, the most that is read of what is no regular file; save it as a file, which may be larger, and name that",
		},
		"a file of that length, which is read": {
			[]string{"--max-memory", "1GiB", "--fixtures", large}, "the file has 67108865 bytes, but YAML can have at most 2097152",
		},
		"a device as a world": {[]string{"--max-memory", "1GiB", "--world", "/dev/zero"}, "--world: /dev/zero has more than 64MiB"},
		"a device":            {[]string{"--max-memory", "64MiB", "--fixtures", "/dev/zero"}, "--fixtures: /dev/zero has more than 10.67MiB, the most that --max-memory leaves for it; use a smaller one, or allow more"},
	} {
		result := programtest.RunToEnd(t, append([]string{"--addr", "127.0.0.1:0"}, test.args...)...)
		if result.Code != 2 || !strings.Contains(result.Stderr, test.want) {
			t.Errorf("%s: exit code %d, standard error %s; want 2, %s", name, result.Code, result.Stderr, test.want)
		}
	}
}
