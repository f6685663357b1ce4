package contracttest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers/sandbox/journal"
)

// SetLifecycle returns a request that sets an operation's lifecycle. PatchLifecycle returns one
// that changes part of it, and SetClock one that changes the clock.
func SetLifecycle(id, body string) Request   { return Put("/admin/operations/"+id, body) }
func PatchLifecycle(id, body string) Request { return Patch("/admin/operations/"+id, body) }
func SetClock(body string) Request           { return Put("/admin/clock", body) }

// Address replaces the parameters in the path of an operation by valid values.
func Address(path string) string {
	path = strings.NewReplacer("{file:.*}", "index.html", "{operationId}", "listPets").Replace(path)
	return regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "1")
}

// Journal is the body of an answer to listRequests.
type Journal struct {
	Requests []journal.Entry // the matching entries
	Matched  int             // number of matching entries; may exceed len(Requests)
	Dropped  uint64          // number of entries removed for lack of room
	Oldest   int64
	TimedOut bool // the wait ended before enough entries matched
}

// JournalOf decodes the answer to listRequests.
func JournalOf(t *testing.T, a *Answer) Journal {
	t.Helper()
	var j Journal
	a.Decode(t, &j)
	return j
}

// String returns one line for each request and one with the totals.
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
