package sandbox

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

func TestLifecycles(t *testing.T) {
	t.Parallel()
	ada, bob := newSandbox(), newSandbox()
	changed := &Lifecycle{Deprecated: true, DeprecatedSince: start, Successor: "/v2/pets"}
	ada.Lifecycles.Set("listPets", changed)
	if got := ada.Lifecycles.Current("listPets"); got != *changed || ada.Lifecycles.Changed("listPets") != changed {
		t.Errorf("Current = %+v, want %+v", got, *changed)
	}
	if got := ada.Lifecycles.Current("getPet"); !got.Deprecated || ada.Lifecycles.Changed("getPet") != nil {
		t.Errorf("Current of what was not changed = %+v", got)
	}
	if got := ada.Lifecycles.Current("no such"); got != (Lifecycle{}) {
		t.Errorf("Current of nothing = %+v", got)
	}
	if got := bob.Lifecycles.Current("listPets"); got.Deprecated {
		t.Error("the change shows in another sandbox")
	}
	ada.Lifecycles.Set("getPet", &Lifecycle{})
	ada.Lifecycles.Set("listPets", nil)
	if ada.Lifecycles.Current("listPets").Deprecated || ada.Lifecycles.Current("getPet").Deprecated {
		t.Error("taking one change back took another or not the one")
	}
	ada.Lifecycles.Set("getPet", nil)
	if !ada.Lifecycles.Current("getPet").Deprecated || ada.Lifecycles.changed.Load() != nil {
		t.Error("the last change that was taken back is not forgotten")
	}
}

// TestTheDocumentsLifecycleIsNoChange sets what an operation has from the document,
// the same instant by another clock and with a fraction that no header tells.
func TestTheDocumentsLifecycleIsNoChange(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	document := Lifecycle{Deprecated: true, DeprecatedSince: day.Add(time.Millisecond), Sunset: day.AddDate(1, 0, 0)}
	var l Lifecycles
	l.init([]Operation{{ID: "getPet", Lifecycle: document}})
	same := document
	same.DeprecatedSince, same.Sunset = day.In(time.FixedZone("", 3600)), document.Sunset.Local()
	other := document
	other.Sunset = other.Sunset.Add(time.Second)
	for _, test := range []struct {
		to      Lifecycle
		changed bool
	}{{same, false}, {other, true}, {same, false}, {Lifecycle{}, true}} {
		l.Set("getPet", &test.to)
		if changed := l.Changed("getPet") != nil; changed != test.changed {
			t.Errorf("%+v is a change: %t", test.to, changed)
		}
	}
}

func TestConcurrentLifecycleChanges(t *testing.T) {
	t.Parallel()
	var l Lifecycles
	var running sync.WaitGroup
	for i := range 16 {
		running.Go(func() { l.Set(fmt.Sprint("operation ", i), &Lifecycle{Brownout: 1}) })
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
		"": "", "/": "", "/pets?id={petId}": "", "/v2/pets/{petId}/x?a=b&c=%20#there": "", "/a//b": "", "/~a_b;c=[1]": "",
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
		wrong := cmp.Or(checkSuccessorForm(successor), op.checkPlaceholders(successor))
		if want == "" && wrong != "" || !strings.Contains(wrong, want) {
			t.Errorf("checkSuccessor(%q) = %q, want %q", successor, wrong, want)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	report := &newSandbox().Report
	if report.Calls(0) != 0 {
		t.Error("an untouched report has calls")
	}
	report.Count(1)
	report.Count(1)
	if report.Calls(0) != 0 || report.Calls(1) != 2 {
		t.Errorf("calls = %d and %d, want 0 and 2", report.Calls(0), report.Calls(1))
	}

	web, app := Caller{UserAgent: "app/1", ClientName: "web"}, Caller{UserAgent: "app/1"}
	later := start.Add(time.Minute)
	for i, use := range []struct {
		operation string
		caller    Caller
		at        time.Time
		first     bool
	}{
		{"getPet", web, start, true}, {"getPet", app, start, true}, {"getPet", web, later, false}, {"listPets", web, later, true},
	} {
		if got := report.Add(use.operation, use.caller, use.at); got != use.first {
			t.Errorf("Add %d says %t of being the first", i, got)
		}
	}
	uses, other := report.Uses()
	want := []Use{{"getPet", web, 2, start, later}, {"getPet", app, 1, start, start}, {"listPets", web, 1, later, later}}
	if fmt.Sprint(uses) != fmt.Sprint(want) || other != 0 {
		t.Errorf("Uses = %v and %d, want %v", uses, other, want)
	}
	report.Reset()
	if uses, other := report.Uses(); len(uses) != 0 || other != 0 || report.Calls(1) != 0 || !report.Add("getPet", web, later) {
		t.Error("something is left after a reset")
	}
}

// TestConcurrentFirstCalls wants no call lost where several are the first.
func TestConcurrentFirstCalls(t *testing.T) {
	t.Parallel()
	const rounds, callers = 200, 8
	for range rounds {
		var report Report
		report.init(1<<14, nil) // making the counters takes its time
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

// TestReportIsBounded calls by more callers, and by ones who say more of
// themselves, than a report keeps.
func TestReportIsBounded(t *testing.T) {
	t.Parallel()
	var report Report
	long := strings.Repeat("x", maxCallerBytes)
	report.Add("getPet", Caller{UserAgent: long + "1", ClientName: long + "1"}, start)
	report.Add("getPet", Caller{UserAgent: long + "2", ClientName: long + "2"}, start)
	for i := range maxCallers + 5 {
		report.Add("getPet", Caller{ClientName: fmt.Sprint(i)}, start)
	}
	report.Add("getPet", Caller{ClientName: "0"}, start)
	uses, other := report.Uses()
	if len(uses) != maxCallers || other != 6 {
		t.Errorf("%d callers and %d other uses, want %d and 6", len(uses), other, maxCallers)
	}
	if uses[0].Count != 2 || uses[0].Caller != (Caller{UserAgent: long, ClientName: long}) {
		t.Errorf("the long caller came %d times by %d bytes", uses[0].Count, len(uses[0].Caller.UserAgent))
	}
	if uses[1].Count != 2 {
		t.Errorf("a caller that was told apart before came %d times, want 2", uses[1].Count)
	}
	all := other
	for _, use := range uses {
		all += use.Count
	}
	if want := maxCallers + 5 + 3; all != want {
		t.Errorf("%d calls in all, want %d", all, want)
	}
}

// TestReportCutsBetweenCharacters wants what is kept of a long name to be text, and what
// it costs to count.
func TestReportCutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	var report Report
	kept := strings.Repeat("x", maxCallerBytes-1)
	report.Add("getPet", Caller{UserAgent: kept + "Ä", ClientName: strings.Repeat("\x80", 2*maxCallerBytes)}, start)
	uses, _ := report.Uses()
	if got := uses[0].Caller; got.UserAgent != kept || len(got.ClientName) != maxCallerBytes-utf8.UTFMax {
		t.Errorf("kept %d and %d bytes, want %d and %d", len(got.UserAgent), len(got.ClientName), len(kept), maxCallerBytes-utf8.UTFMax)
	}
	if want := int64(useBytes + len(kept) + maxCallerBytes - utf8.UTFMax); report.Bytes() != want {
		t.Errorf("%d bytes, want %d", report.Bytes(), want)
	}
	report.Reset()
	if report.Bytes() != 0 {
		t.Errorf("%d bytes after a reset", report.Bytes())
	}
}
