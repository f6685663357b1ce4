package sandbox

import (
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/memory"
)

// TestReportTakesNoMemoryThatThereIsNot wants callers that the process has no memory for to
// be counted all the same.
func TestReportTakesNoMemoryThatThereIsNot(t *testing.T) {
	t.Parallel()
	var r Report
	r.init(1, memory.New(1, time.Now)) // byte
	if r.Add("getPet", Caller{UserAgent: "curl"}, start) {
		t.Error("a caller is kept in a process that has no memory for it")
	}
	if uses, other := r.Uses(); len(uses) != 0 || other != 1 {
		t.Errorf("%d uses and %d others, want the one among the others", len(uses), other)
	}
}
