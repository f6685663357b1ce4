package rest

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// heartbeat is how often a silent stream says that it is alive, so that nobody on the
// way takes it for dead, and that a reader who is gone without a word is noticed.
const heartbeat = 15 * time.Second

// The names of events that are about the stream itself.
const (
	eventGap     = "gap"     // events that were asked for are gone: {"from": 3, "to": 8}
	eventDropped = "dropped" // the stream ends, since its reader is too slow
)

// TokenParameter is the query parameter that bears a key where a header cannot
// (RFC 6750, section 2.3).
const TokenParameter = "access_token"

// StreamQuery are the query parameters of every event stream.
var StreamQuery = []string{TokenParameter}

// StreamEvents answers the events of a stream as server-sent events (WHATWG HTML, section
// 9.2), until the client, the stream's sandbox or the server ends, or the sandbox has another
// key or privacy. Last-Event-ID says which
// event the client has seen last: listen begins the stream after the one of that id.
func (x *Exchange) StreamEvents(listen func(after int64) (*journal.Stream, error)) error {
	after, err := x.lastEventID()
	if err != nil {
		return err
	}
	leave, err := x.Stand(Forever)
	if err != nil {
		return err
	}
	defer leave()
	if err := x.Hold(streamBytes); err != nil {
		return err
	}
	stream, err := listen(after) // before the answer begins, so that nothing after that is missed
	if err != nil {
		return err
	}
	defer stream.Close()
	change := x.ownerChange()
	if err := x.CheckOwner(); err != nil {
		return err
	}
	header := x.W.Header()
	header["Content-Type"] = []string{"text/event-stream"}
	header["X-Accel-Buffering"] = []string{"no"} // nginx, and who does as it does, holds answers back otherwise
	header["Cache-Control"] = []string{"no-store"}
	if x.R.URL.Query().Has(TokenParameter) { // what the address shows is for its owner (RFC 6750, section 2.3)
		header["Cache-Control"] = []string{"private, no-store"}
	}
	if x.R.Method == http.MethodHead {
		x.W.WriteHeader(http.StatusOK)
		return nil
	}
	w := eventWriter{w: x.W, control: http.NewResponseController(x.W), last: max(after, 0)}
	if !w.begin(stream) {
		return nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case e, ok := <-stream.Events():
			if !ok {
				w.bye(stream, x.Sandbox)
				return nil
			}
			if x.CheckOwner() != nil || !w.event(e) {
				return nil
			}
		case <-change:
			return nil
		case <-beat.C:
			if !w.comment("still here") {
				return nil
			}
		case <-x.R.Context().Done():
			return nil
		}
	}
}

// lastEventID returns the id that the client has seen last, or [journal.FromNow].
func (x *Exchange) lastEventID() (int64, error) {
	text := x.R.Header.Get("Last-Event-ID")
	if text == "" {
		return journal.FromNow, nil
	}
	id, wrong := field.ParseIntegerWithin(text, 0, math.MaxInt64)
	if wrong != "" {
		return 0, BadParameter(field.Problem{Field: "Last-Event-ID", Message: wrong + ", not " + field.ShowInteger(text)})
	}
	return id, nil
}

// eventWriter writes a stream. Its methods report whether the reader is still
// there.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	buf     bytes.Buffer
	last    int64 // id of the newest event that was sent
}

// begin says that the stream is open, and what has happened before.
func (e *eventWriter) begin(s *journal.Stream) bool {
	e.w.WriteHeader(http.StatusOK)
	if !e.comment("listening") { // a byte of body, which a compressing writer waits for
		return false
	}
	if s.Gap != nil {
		if s.Gap.To == 0 { // of an earlier life, as is the id that the client has
			e.last = 0
		}
		if !e.about(eventGap, s.Gap) {
			return false
		}
	}
	for missed, gap := range s.Missed() {
		if gap != nil && !e.about(eventGap, gap) || gap == nil && !e.event(missed) {
			return false
		}
	}
	return true
}

// bye says why the stream ends: by the reader's doing, or since its sandbox is gone (nil: it
// is of all of them), which the reader need not ask for again.
func (e *eventWriter) bye(s *journal.Stream, sb *sandbox.Sandbox) {
	switch {
	case s.Slow():
		e.about(eventDropped, struct{}{})
	case sb != nil && errors.Is(sb.End(), sandbox.ErrDropped):
		e.about(journal.EventDropped, struct{}{})
	}
}

// about writes an event about the stream itself. Its id is that of the event
// before, so that who comes back resumes there.
func (e *eventWriter) about(name string, data any) bool {
	text, err := Encode(data)
	return err == nil && e.write(e.last, name, text)
}

func (e *eventWriter) event(event journal.Event) bool {
	data := event.Data
	if event.Request != nil {
		text, err := Encode(event.Request)
		if err != nil {
			return false
		}
		data = text
	}
	if data == nil {
		data = []byte("{}")
	}
	if event.Sandbox != "" {
		data = withSandbox(event.Sandbox, data)
	}
	e.last = event.ID
	return e.write(event.ID, event.Name, data)
}

// withSandbox returns a JSON object with a field more, the name of a sandbox.
func withSandbox(name string, object []byte) []byte {
	b := append([]byte(`{"sandbox":"`), name...) // which needs no escape: see [sandbox.ValidName]
	b = append(b, '"')
	if string(object) != "{}" {
		b = append(b, ',')
	}
	return append(b, object[1:]...)
}

// write sends one event. JSON as we write it has no line breaks, so one data line
// holds it.
func (e *eventWriter) write(id int64, name string, data []byte) bool {
	e.buf.WriteString("id: ")
	e.buf.Write(strconv.AppendInt(e.buf.AvailableBuffer(), id, 10))
	e.buf.WriteString("\nevent: " + name + "\ndata: ")
	e.buf.Write(data)
	e.buf.WriteString("\n\n")
	return e.flush()
}

// comment writes what a reader takes no notice of.
func (e *eventWriter) comment(text string) bool {
	e.buf.WriteString(": " + text + "\n\n")
	return e.flush()
}

func (e *eventWriter) flush() bool {
	defer func() {
		if e.buf.Reset(); e.buf.Cap() > PieceBytes {
			e.buf = bytes.Buffer{} // most events are small
		}
	}()
	if _, err := e.w.Write(e.buf.Bytes()); err != nil {
		return false
	}
	return e.control.Flush() == nil
}
