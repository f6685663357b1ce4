package petstoretest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"example.com/petstore/handlers/sandbox/journal"
)

// Filter selects the requests that match all of its fields. The zero Filter matches every request.
//
//	Filter{Method: "POST", Path: "/pets/*", Status: new(503)}
type Filter struct {
	OperationID string // "" matches any
	Method      string // "" matches any
	Path        string // without the sandbox prefix; * stands for one segment, a final ** for the rest; "" matches any
	Status      *int   // nil matches any; 0 matches aborted responses
	StatusClass int    // 4 matches 400 to 499; 0 matches any
	Since       int64  // a request matches if its id is greater
}

// Requests returns the recorded requests that match the filter, oldest first. Requests to the admin
// API, and requests for documents, pages and health checks, are not recorded. The journal is
// limited; [Sandbox.JournalSize] reports whether requests were dropped.
//
// A request is recorded before its client gets the response. A request for an event stream is
// recorded when the stream begins. If the code under test makes requests in the background, use
// [Sandbox.WaitForRequests].
func (s *Sandbox) Requests(filter Filter) []Entry {
	s.t.Helper()
	f := s.checked(filter)
	return s.live().Journal.Find(f)
}

// HAR returns the requests that [Sandbox.Requests] returns, as an HTTP Archive (HAR 1.2). The
// network panels of browsers can open it. A truncated body has a comment, and a request whose
// connection was aborted has the status 0.
func (s *Sandbox) HAR(filter Filter) []byte {
	s.t.Helper()
	f := s.checked(filter)
	var b bytes.Buffer
	s.must(s.writeHAR(&b, f))
	return b.Bytes()
}

func (s *Sandbox) writeHAR(w io.Writer, filter journal.Filter) error {
	selection, err := s.sandbox.Journal.Select(filter, math.MaxInt, false, nil)
	if err != nil {
		return err
	}
	return s.sandbox.Archive(s.core.version).Write(w, selection.Entries())
}

// WaitForRequests waits until at least count requests match, and returns what [Sandbox.Requests]
// returns. If the wait takes longer than the timeout, or if the sandbox is dropped or the server
// closed meanwhile, WaitForRequests fails the test and reports the reason and the requests so far.
func (s *Sandbox) WaitForRequests(timeout time.Duration, filter Filter, count int) []Entry {
	s.t.Helper()
	f := s.checked(filter)
	requests := s.live().Journal
	if count < 1 {
		s.must(fmt.Errorf("WaitForRequests needs a count of at least 1, not %d", count))
	}
	if err := requests.CheckCount(int64(count)); err != nil {
		s.must(fmt.Errorf("WaitForRequests: the count %w", err))
	}
	ctx, cancel := context.WithTimeout(s.sandbox.Life, timeout)
	defer cancel()
	enough, err := requests.Wait(ctx, f, count)
	s.must(err)
	found := requests.Find(f)
	if !enough {
		s.t.Fatalf("petstoretest: %s: %d of %d requests arrived; %s", s.whyNot("WaitForRequests", timeout),
			len(found), count, s.whatCame(filter.Since))
	}
	return found
}

// checked converts a valid filter. For an invalid one, it fails the test and reports all problems.
func (s *Sandbox) checked(filter Filter) journal.Filter {
	s.t.Helper()
	f := journal.Filter(filter)
	s.mustNot("filter", s.live().CheckFilter(&f))
	return f
}

// whyNot returns the reason why a wait failed: the sandbox has ended, or the timeout has passed.
func (s *Sandbox) whyNot(wait string, timeout time.Duration) string {
	if end := context.Cause(s.sandbox.Life); end != nil {
		return fmt.Sprintf("%v while %s waited in %q", end, wait, s.Name)
	}
	return fmt.Sprintf("%s waited for %v", wait, timeout)
}

// whatCame describes the journal and its first 10 entries with ids greater than since.
func (s *Sandbox) whatCame(since int64) string {
	requests := s.sandbox.Journal
	all, dropped := requests.Size()
	text := fmt.Sprintf("the journal has %d", all)
	if all == 0 {
		text = "the journal is empty"
	}
	if dropped > 0 {
		text += fmt.Sprintf(" (%d more were dropped, see Config.Journal)", dropped)
	}
	came := requests.Find(journal.Filter{Since: since})
	for i, e := range came[:min(len(came), 10)] {
		if i == 0 {
			text += ":"
		}
		text += fmt.Sprintf("\n\t%d: %s %s %d", e.ID, e.Method, e.Path, e.Status)
	}
	return text
}

// ClearRequests clears the journal.
func (s *Sandbox) ClearRequests() {
	s.t.Helper()
	s.live().Journal.Reset()
}

// JournalSize returns how many requests the journal holds, and how many it has dropped to make room
// since it was last cleared.
func (s *Sandbox) JournalSize() (entries int, dropped uint64) {
	s.t.Helper()
	return s.live().Journal.Size()
}

// Listen starts a stream of the sandbox's events: changes to the data, and requests, as
// /admin/events sends them. The stream starts after the event with the id after, or with the next
// event if after is [FromNow]. The stream ends when it is closed, and when the sandbox or the test
// ends. It also ends if its reader falls 256 events behind or if the server has no memory for
// waiting events; its method Slow then returns true.
func (s *Sandbox) Listen(after int64) *Stream {
	s.t.Helper()
	s.mustBeEvent(after)
	stream, err := s.live().Journal.Listen(after, true)
	s.must(err)
	s.t.Cleanup(stream.Close)
	return stream
}

// ListenToAll is like [Sandbox.Listen], but for all sandboxes of the server. The field Sandbox of
// an event is the name of its sandbox. [EventCreated] and [EventDropped] report sandboxes that are
// created and dropped. Event ids are unique across sandboxes. From the first stream on, the server
// keeps the latest events for later streams.
func (s *Server) ListenToAll(after int64) *Stream {
	s.t.Helper()
	s.mustBeEvent(after)
	stream, err := s.core.service.Sandboxes().Events.Listen(after)
	s.must(err)
	s.t.Cleanup(stream.Close)
	return stream
}

func (s *Sandbox) mustBeEvent(after int64) {
	s.t.Helper()
	if after < 0 && after != FromNow {
		s.must(fmt.Errorf("there is no event with id %d", after))
	}
}
