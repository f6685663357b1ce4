package rest

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// heartbeat is the interval between comments in a stream. The comments keep proxies from closing an
// idle stream, and detect clients that have disappeared.
const heartbeat = 15 * time.Second

// pace is the minimum time between two flushes of events, so that each flush of a busy stream sends
// many events. A buffer that has reached PieceBytes is flushed at once.
const pace = 20 * time.Millisecond

// Names of events about the stream itself.
const (
	eventGap     = "gap"     // requested events are no longer stored: {"from": 3, "to": 8}
	eventDropped = "dropped" // the stream ends because [journal.Stream.Slow] returns true
)

// TokenParameter is the query parameter that contains a key. It is for clients that cannot set
// headers (RFC 6750, section 2.3).
const TokenParameter = "access_token"

// StreamQuery lists the query parameters of every event stream.
var StreamQuery = []string{TokenParameter}

// StreamEvents writes a stream as server-sent events (WHATWG HTML, section 9.2). The stream ends
// when the client disconnects or reads too slowly, when the server lacks memory for waiting events,
// when the sandbox is dropped, when the server stops, or when the sandbox's key or privacy changes.
// StreamEvents calls listen with the id in Last-Event-ID, or with [journal.FromNow] if there is
// none. The stream starts with the event after this id.
func (x *Exchange) StreamEvents(listen func(after int64) (*journal.Stream, error)) error {
	after, err := x.lastEventID()
	if err != nil {
		return err
	}
	leave, err := x.AddWaiter(Forever)
	if err != nil {
		return err
	}
	defer leave()
	if err := x.Hold(memory.Stream); err != nil {
		return err
	}
	stream, err := listen(after) // before the response begins, so that no event is missed
	if err != nil {
		return err
	}
	defer stream.Close()
	var change <-chan struct{} // nil if the request is for all sandboxes
	if x.Sandbox != nil {
		change = x.Sandbox.OwnerChange()
	}
	if err := x.CheckOwner(); err != nil {
		return err
	}
	header := x.W.Header()
	header["Content-Type"] = []string{"text/event-stream"}
	header["X-Accel-Buffering"] = []string{"no"} // stops nginx and others from buffering the stream
	header["Cache-Control"] = []string{"no-store"}
	// A response to a URL that contains a key is private (RFC 6750, section 2.3).
	if x.R.URL.Query().Has(TokenParameter) {
		header["Cache-Control"] = []string{"private, no-store"}
	}
	if x.R.Method == http.MethodHead {
		x.W.WriteHeader(http.StatusOK)
		return nil
	}
	w := eventWriter{w: x.W, last: max(after, 0)}
	w.begin(stream)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	var pause <-chan time.Time // receives when events may be flushed again; nil if they may be flushed now
	for w.err == nil {
		select {
		case e, ok := <-stream.Events():
			if !ok || stream.Slow() {
				w.bye(stream, x.Sandbox)
				return nil
			}
			if x.CheckOwner() != nil {
				return nil
			}
			w.add(e)
		case <-pause:
			pause = nil
		case <-change:
			return nil
		case <-beat.C:
			w.comment("still here")
			w.flush()
		case <-x.R.Context().Done():
			return nil
		}
		if w.buf.Len() > 0 && (pause == nil || w.buf.Len() >= PieceBytes) {
			w.flush()
			pause = time.After(pace)
		}
	}
	return nil
}

// lastEventID returns the id of the last event that the client has received, or [journal.FromNow]
// if there is none. If Last-Event-ID is not such an id, the error is a 400.
func (x *Exchange) lastEventID() (int64, error) {
	text := x.R.Header.Get("Last-Event-ID")
	if text == "" {
		return journal.FromNow, nil
	}
	id, wrong := field.ParseInteger(text, 0, math.MaxInt64)
	if wrong != "" {
		return 0, BadParameter("Last-Event-ID", wrong+", not "+field.ShowInteger(text))
	}
	return id, nil
}

// eventWriter writes an event stream. After the first error, it sends nothing.
type eventWriter struct {
	w    http.ResponseWriter
	buf  bytes.Buffer
	last int64 // the id of the newest event that was added, or that the client received in an earlier stream
	err  error // why the stream must end, usually because the client has disconnected
}

// begin starts the response. It sends the events that the client has missed. For missed events that
// are no longer stored, it sends gap events.
func (e *eventWriter) begin(s *journal.Stream) {
	// A compressing writer sends nothing, not even headers, before the first byte of the body.
	e.comment("listening")
	e.flush()
	if s.Gap != nil {
		if s.Gap.To == 0 { // Last-Event-ID is from an earlier sandbox of this name, or an earlier run
			e.last = 0
		}
		e.notify(eventGap, s.Gap)
		e.flush()
	}
	for missed, gap := range s.Missed() {
		if gap != nil {
			e.notify(eventGap, gap)
		} else {
			e.add(missed)
		}
		if e.flush(); e.err != nil {
			return
		}
	}
}

// bye sends the buffered events. If s.Slow returns true, it then sends [eventDropped]. If the
// sandbox was dropped, it sends [journal.EventDropped], after which the client need not reconnect.
// sb is nil for a stream of all sandboxes.
func (e *eventWriter) bye(s *journal.Stream, sb *registry.Entry) {
	switch {
	case s.Slow():
		e.notify(eventDropped, struct{}{})
	case sb != nil && errors.Is(context.Cause(sb.Life), sandbox.ErrDropped):
		e.notify(journal.EventDropped, struct{}{})
	}
	e.flush()
}

// notify buffers an event about the stream itself. The event repeats the id of the previous event,
// so that a client that reconnects resumes after the previous event.
func (e *eventWriter) notify(name string, data any) {
	text, _ := Encode(data) // cannot fail
	e.write(e.last, name, text)
}

// add buffers an event.
func (e *eventWriter) add(event journal.Event) {
	data := event.Data
	if event.Request != nil {
		data, _ = Encode(event.Request) // cannot fail
	}
	if data == nil {
		data = []byte("{}")
	}
	if event.Sandbox != "" {
		data = withSandbox(event.Sandbox, data)
	}
	e.last = event.ID
	e.write(event.ID, event.Name, data)
}

// withSandbox adds a field with the sandbox's name to a JSON object.
func withSandbox(name string, object []byte) []byte {
	b := append([]byte(`{"sandbox":"`), name...) // a name needs no escaping; see [sandbox.ValidName]
	b = append(b, '"')
	if string(object) != "{}" {
		b = append(b, ',')
	}
	return append(b, object[1:]...)
}

// write buffers one event. The JSON contains no line breaks, so it needs only one data line.
func (e *eventWriter) write(id int64, name string, data []byte) {
	e.buf.WriteString("id: ")
	e.buf.Write(strconv.AppendInt(e.buf.AvailableBuffer(), id, 10))
	e.buf.WriteString("\nevent: " + name + "\ndata: ")
	e.buf.Write(data)
	e.buf.WriteString("\n\n")
}

// comment buffers a comment, which clients ignore.
func (e *eventWriter) comment(text string) { e.buf.WriteString(": " + text + "\n\n") }

// flush sends the buffer.
func (e *eventWriter) flush() {
	if e.err == nil {
		_, e.err = e.w.Write(e.buf.Bytes())
	}
	if e.err == nil {
		e.err = http.NewResponseController(e.w).Flush()
	}
	if e.buf.Reset(); e.buf.Cap() > PieceBytes {
		e.buf = bytes.Buffer{} // free an unusually large buffer
	}
}
