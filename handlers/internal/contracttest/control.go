package contracttest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers/sandbox/journal"
)

// SetLifecycle is a request that sets an operation's lifecycle, PatchLifecycle one that changes a part
// of it, and SetClock one that changes the clock.
func SetLifecycle(id, body string) Request   { return Put("/admin/operations/"+id, body) }
func PatchLifecycle(id, body string) Request { return Patch("/admin/operations/"+id, body) }
func SetClock(body string) Request           { return Put("/admin/clock", body) }

// Address returns a concrete address for the path of an operation.
func Address(path string) string {
	path = strings.NewReplacer("{file:.*}", "index.html", "{operationId}", "listPets").Replace(path)
	return regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "1")
}

// Journal is the answer to listRequests.
type Journal struct {
	Requests []journal.Entry // the matching entries
	Matched  int             // may be more than len(Requests)
	Dropped  uint64          // entries removed for lack of room
	Oldest   int64
	TimedOut bool // fewer matched than the request waited for
}

// JournalOf decodes the answer.
func JournalOf(t *testing.T, a *Answer) Journal {
	t.Helper()
	var j Journal
	a.Decode(t, &j)
	return j
}

// String returns one line for each request, and one with the totals.
func (j Journal) String() string {
	var b strings.Builder
	for _, e := range j.Requests {
		fmt.Fprintf(&b, "%d %s %s = %d\n", e.ID, e.Method, e.Path, e.Status)
	}
	fmt.Fprintf(&b, "matched %d, dropped %d, oldest %d\n", j.Matched, j.Dropped, j.Oldest)
	if j.TimedOut {
		b.WriteString("timed out\n")
	}
	return b.String()
}
