package contracttest_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/must"
)

var update = flag.Bool("update", false, "write the answers of the transcripts anew")

// TestTranscripts plays the conversations of testdata/transcripts and compares every
// response, byte for byte. A transcript is a text for people to read and to extend:
//
//	# A comment.
//	$ petstore --strict --fixtures shop.yaml
//	> POST /pets
//	> X-Client: web
//	>
//	> {"name": "Rex", "categoryId": 1}
//	< HTTP/1.1 201 Created
//	< Content-Type: application/json
//	<
//	< {"id":7,"name":"Rex","categoryId":1,"status":"available"}
//	+ 1h
//
// A line with $ starts a new server, which replaces the previous one; its files are relative to the
// folder of this test. Lines with > are a request, lines with < are its response, and a line with +
// lets time pass. After a change, go test ./handlers/internal/contracttest -run TestTranscripts -update
// updates the responses, and fails if a status has changed.
//
// The player adds the required headers and an X-Request-Id to each request. The headers of
// a response are sorted, without Date. [readAnswer] describes the bodies that are not shown
// unchanged.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files := must.Get(filepath.Glob("../../../testdata/transcripts/*.txt"))(t)
	if len(files) < 20 {
		t.Errorf("%d transcripts, want 20 or more", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text := must.Get(os.ReadFile(file))(t)
			synctest.Test(t, func(t *testing.T) {
				played := playTranscript(t, string(text))
				if *update {
					must.Succeed(t, os.WriteFile(file, []byte(played), 0o600))
				} else if played != string(text) {
					diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(played, "\n"))
					t.Errorf("the answers are not those of %s, -want +got:\n%s\nif that is meant: "+
						"go test ./handlers/internal/contracttest -run Transcripts -update, then read the difference", file, diff)
				}
			})
		})
	}
}

// playTranscript returns the text with the current responses to its requests.
func playTranscript(t *testing.T, text string) string {
	t.Helper()
	var played strings.Builder
	var p player
	var request []string // the lines of the current request
	var asked, answer string
	for line := range strings.Lines(text + "\n") {
		mark, rest := line[:1], strings.TrimPrefix(strings.TrimSuffix(line[1:], "\n"), " ")
		if mark != ">" && request != nil {
			lines := p.exchange(t, request)
			for _, line := range lines {
				played.WriteString(strings.TrimSuffix("< "+line, " ") + "\n")
			}
			asked, answer, request = request[0], lines[0], nil
		}
		switch mark {
		case ">":
			request = append(request, rest)
		case "<":
			if strings.HasPrefix(rest, "HTTP/") && rest != answer {
				t.Errorf("%s is answered with %s, not %s; if -update has written that, mend the request", asked, answer, rest)
			}
			continue // drops the previous response
		case "$":
			p.start(t, rest)
		case "+":
			pause := must.Get(time.ParseDuration(rest))(t)
			time.Sleep(pause) // in the bubble
		case "#", "\n":
		default:
			t.Fatalf("a line of a transcript begins with one of # $ > < +, not as %q", line)
		}
		played.WriteString(line)
	}
	return strings.TrimSuffix(played.String(), "\n")
}
