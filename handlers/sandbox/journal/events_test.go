package journal

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func publish(j *Journal, names ...string) {
	for _, name := range names {
		if name == EventRequest {
			j.Add(&Request{Path: "/pets"})
		} else {
			j.Publish(Event{Name: name})
		}
	}
}

// listen is Listen where there is room for a stream.
func listen(t *testing.T, j *Journal, after int64, requests bool) *Stream {
	t.Helper()
	s, err := j.Listen(after, requests)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drain returns what has come, as texts: "3 pet.created".
func drain(s *Stream) []string {
	var got []string
	for {
		select {
		case e, ok := <-s.Events():
			if !ok {
				return append(got, fmt.Sprintf("end, slow: %t", s.Slow()))
			}
			got = append(got, text(e))
		default:
			return got
		}
	}
}

func missed(s *Stream) []string {
	var got []string
	for e, gap := range s.Missed() {
		if gap != nil {
			got = append(got, fmt.Sprintf("gap %d-%d", gap.From, gap.To))
		} else {
			got = append(got, text(e))
		}
	}
	return got
}

func text(e Event) string {
	if e.Request != nil {
		return fmt.Sprintf("%d %s %d", e.ID, e.Name, e.Request.ID)
	}
	return fmt.Sprintf("%d %s", e.ID, e.Name)
}

func TestStreamsHearWhatHappens(t *testing.T) {
	t.Parallel()
	j := newJournal(10)
	publish(j, "before", EventRequest)
	data, all := listen(t, j, FromNow, false), listen(t, j, FromNow, true)
	publish(j, "a", EventRequest, "b")
	if diff := cmp.Diff([]string{"3 a", "5 b"}, drain(data)); diff != "" {
		t.Errorf("without requests, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"3 a", "4 request 2", "5 b"}, drain(all)); diff != "" {
		t.Errorf("with requests, -want +got:\n%s", diff)
	}
	streams := []*Stream{data, all}
	for _, s := range streams {
		if s.Gap != nil || missed(s) != nil {
			t.Errorf("of the past: %v, %v", s.Gap, missed(s))
		}
		s.Close()
		s.Close() // again does nothing
	}
	publish(j, "c", EventRequest)
	for _, s := range streams {
		if diff := cmp.Diff([]string{"end, slow: false"}, drain(s)); diff != "" {
			t.Errorf("after Close, -want +got:\n%s", diff)
		}
	}
	if n := len(j.hub.streams); n != 0 || j.hub.watchers != 0 {
		t.Errorf("%d streams and %d watchers are left", n, j.hub.watchers)
	}
}

func TestStreamsResume(t *testing.T) {
	t.Parallel()
	j := newJournal(2)
	publish(j, "a", EventRequest, "b", EventRequest, EventRequest, "c") // the journal drops event 2
	for _, test := range []struct {
		name     string
		after    int64
		requests bool
		gap      *Gap
		missed   []string
	}{
		{"from the first", 0, false, nil, []string{"1 a", "3 b", "6 c"}},
		{"from the middle", 3, false, nil, []string{"6 c"}},
		{"from a request", 4, false, nil, []string{"6 c"}},
		{"from the last", 6, false, nil, nil},
		{"from now", FromNow, false, nil, nil},
		{"from an earlier life", 9, false, &Gap{From: 10}, []string{"1 a", "3 b", "6 c"}},
		{"requests from the first", 0, true, &Gap{From: 1, To: 2}, []string{"1 a", "3 b", "4 request 2", "5 request 3", "6 c"}},
		{"requests before a lost one", 1, true, &Gap{From: 2, To: 2}, []string{"3 b", "4 request 2", "5 request 3", "6 c"}},
		{"requests from the lost one", 2, true, nil, []string{"3 b", "4 request 2", "5 request 3", "6 c"}},
		{"requests from the middle", 4, true, nil, []string{"5 request 3", "6 c"}},
		{"requests from now", FromNow, true, nil, nil},
		{"requests from an earlier life", 9, true, &Gap{From: 10}, []string{"1 a", "3 b", "4 request 2", "5 request 3", "6 c"}},
		{"from the largest id", math.MaxInt64, true, &Gap{From: math.MaxInt64}, []string{"1 a", "3 b", "4 request 2", "5 request 3", "6 c"}},
	} {
		s := listen(t, j, test.after, test.requests)
		defer s.Close()
		if diff := cmp.Diff(test.gap, s.Gap); diff != "" {
			t.Errorf("%s: gap, -want +got:\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.missed, missed(s)); diff != "" {
			t.Errorf("%s: missed, -want +got:\n%s", test.name, diff)
		}
	}
	j.Reset()
	if diff := cmp.Diff(&Gap{From: 4, To: 5}, listen(t, j, 3, true).Gap); diff != "" {
		t.Errorf("after the journal is cleared: gap, -want +got:\n%s", diff)
	}
}

// TestRequestsAreTheStreamsOnceItHasBegun is about what the journal gets between the
// stream's beginning and its past being read: the stream itself tells it.
func TestRequestsAreTheStreamsOnceItHasBegun(t *testing.T) {
	t.Parallel()
	j := newJournal(2)
	publish(j, EventRequest, EventRequest)
	s := listen(t, j, 0, true)
	defer s.Close()
	publish(j, EventRequest, EventRequest, EventRequest)
	if diff := cmp.Diff([]string{"gap 1-2"}, missed(s)); diff != "" {
		t.Errorf("missed, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"3 request 3", "4 request 4", "5 request 5"}, drain(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestWhatIsLostMeanwhileIsToldAsGap has a reader take its time over the past, which the
// journal forgets.
func TestWhatIsLostMeanwhileIsToldAsGap(t *testing.T) {
	t.Parallel()
	j := newJournal(100)
	for range 100 {
		publish(j, EventRequest)
	}
	s := listen(t, j, 10, true)
	defer s.Close()
	var got []string
	for e, gap := range s.Missed() {
		switch {
		case gap != nil:
			got = append(got, fmt.Sprintf("gap %d-%d", gap.From, gap.To))
		case e.ID == 11:
			for range 60 { // drops entries up to the 60th
				publish(j, EventRequest)
			}
			fallthrough
		case e.ID == 10+missedAtOnce, e.ID == 61, e.ID == 100:
			got = append(got, text(e))
		}
	}
	want := []string{"11 request 11", fmt.Sprintf("%d request %[1]d", 10+missedAtOnce), fmt.Sprintf("gap %d-60", 11+missedAtOnce), "61 request 61", "100 request 100"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Gap != nil {
		t.Errorf("a gap at first: %v", *s.Gap)
	}
}

func TestStreamsEndWithTheSandbox(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		life, end := context.WithCancel(t.Context())
		j := New(life, 10, nil)
		streams := []*Stream{listen(t, j, FromNow, false), listen(t, j, FromNow, true)}
		publish(j, "a")
		end()
		streams = append(streams, listen(t, j, 1, false))
		synctest.Wait()
		want := [][]string{{"1 a", "end, slow: false"}, {"1 a", "end, slow: false"}, {"end, slow: false"}}
		for i, s := range streams {
			if diff := cmp.Diff(want[i], drain(s)); diff != "" {
				t.Errorf("stream %d, -want +got:\n%s", i, diff)
			}
			s.Close()
		}
		publish(j, "b", EventRequest) // to nobody
	})
}
