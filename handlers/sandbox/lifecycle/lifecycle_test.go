package lifecycle

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/petstore/handlers/sandbox/memory"
)

func TestConcurrentLifecycleChanges(t *testing.T) {
	t.Parallel()
	var l Lifecycles
	l.Init(nil)
	var running sync.WaitGroup
	for i := range 16 {
		running.Go(func() { l.Set(&Operation{ID: fmt.Sprint("operation ", i)}, Lifecycle{Brownout: 1}) })
	}
	running.Wait()
	if n := len(*l.changed.Load()); n != 16 {
		t.Errorf("%d of 16 changes are there", n)
	}
}

func TestCheckSuccessor(t *testing.T) {
	t.Parallel()
	op := Operation{ID: "getPet", Path: "/pets/{petId}"}
	for successor, want := range map[string]string{
		"": "", "/": "", "/pets?id={petId}": "", "/v2/pets/{petId}/x?a=b&c=%20#there": "", "/a//b": "",
		"/~a_b;c=[1]":          "",
		"pets":                 "a path",
		"//evil.example/pets":  "a path",
		"http://evil.example/": "a path",
		"/a b":                 "a path",
		"/a\tb":                "a path",
		"/a\r\nX-Evil: 1":      "a path",
		"/a\n":                 "a path",
		`/a"b`:                 "a path",
		"/a'b":                 "a path",
		"/a`b":                 "a path",
		`/a\b`:                 "a path",
		"/a>b":                 "a path",
		"/a<b":                 "a path",
		"/ä":                   "a path",
		"/a\x7f":               "a path",
		"/pets/{orderId}":      "no {name} except",
		"/pets/{petId":         "no {name} except",
		"/pets/}":              "no {name} except",
		"/pets/{}":             "no {name} except",
		"/pets/{{petId}}":      "no {name} except",
		"/a%zz":                "does not parse",
		"/a?b=%":               "does not parse",
	} {
		_, problems := op.Complete(Lifecycle{}, Lifecycle{Deprecated: true, Successor: successor}, time.Unix(0, 0))
		if (want == "") != (problems == nil) || want != "" &&
			(len(problems) > 1 || !strings.Contains(problems[0].Message, want)) {
			t.Errorf("the successor %q: %v, want %q", successor, problems, want)
		}
	}
}

// TestConcurrentFirstCalls checks that no call is lost if several first calls are concurrent.
func TestConcurrentFirstCalls(t *testing.T) {
	t.Parallel()
	const rounds, callers = 200, 8
	for range rounds {
		var report Report
		report.Init(1<<14, nil) // many counters, so that allocating them takes long
		var running sync.WaitGroup
		begin := make(chan struct{})
		for range callers {
			running.Go(func() {
				<-begin
				report.Count(0)
			})
		}
		close(begin)
		running.Wait()
		if n := report.Calls(0); n != callers {
			t.Fatalf("%d of %d calls are counted", n, callers)
		}
	}
}

// TestReportCutsBetweenCharacters checks that a long name is truncated to valid text, and that its
// kept bytes are counted.
func TestReportCutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	var report Report
	kept := strings.Repeat("x", maxCallerBytes-1)
	report.Add("getPet", Caller{UserAgent: kept + "Ä", ClientName: strings.Repeat("\x80", 2*maxCallerBytes)},
		time.Now())
	uses, _ := report.Uses()
	if got := uses[0].Caller; got.UserAgent != kept || len(got.ClientName) != maxCallerBytes-utf8.UTFMax+1 {
		t.Errorf("kept %d and %d bytes, want %d and %d", len(got.UserAgent), len(got.ClientName), len(kept),
			maxCallerBytes-utf8.UTFMax+1)
	}
	if want := int64(useBytes + len(kept) + maxCallerBytes - utf8.UTFMax + 1); report.Bytes() != want {
		t.Errorf("%d bytes, want %d", report.Bytes(), want)
	}
	report.Reset()
	if report.Bytes() != 0 {
		t.Errorf("%d bytes after a reset", report.Bytes())
	}
}

// TestReportWithoutMemory checks that callers are counted even if the process has no
// memory to list them.
func TestReportWithoutMemory(t *testing.T) {
	t.Parallel()
	var r Report
	r.Init(1, memory.New(1, time.Now)) // byte
	if r.Add("getPet", Caller{UserAgent: "curl"}, time.Now()) {
		t.Error("a caller is kept in a process that has no memory for it")
	}
	if uses, other := r.Uses(); len(uses) != 0 || other != 1 {
		t.Errorf("%d uses and %d others, want the one among the others", len(uses), other)
	}
}
