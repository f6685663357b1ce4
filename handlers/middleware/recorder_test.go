package middleware

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/memory"
)

// TestRecordedResponsesAreBounded records a long response. None of it is kept if recording is off,
// and the request is refused if memory is short.
func TestRecordedResponsesAreBounded(t *testing.T) {
	t.Parallel()
	piece := bytes.Repeat([]byte("x"), 16<<10)
	long := func(x *rest.Exchange) error {
		for range 64 { // 1 MiB
			if _, err := x.W.Write(piece); err != nil {
				return nil // as if the client had disconnected
			}
		}
		return nil
	}
	full, empty := memory.New(1, time.Now), memory.New(1<<40, time.Now)
	for _, test := range []struct {
		name   string
		budget *memory.Budget
		wanted bool
		kept   int
		err    error
	}{
		{"wanted", empty, true, 1 << 20, nil},
		{"not wanted", empty, false, 0, nil},
		{"not wanted, without memory", full, false, 0, nil},
		{"wanted, without memory", full, true, 64 << 10, memory.ErrFull},
	} {
		v := newVisit(http.MethodGet, "/sandboxes/ada/pets", nil)
		v.x.Memory = test.budget
		real, err := record(v.x, long, test.wanted)
		if !errors.Is(err, test.err) || len(real.body) != test.kept {
			t.Errorf("%s: %d bytes are kept, %v; want %d, %v", test.name, len(real.body), err, test.kept, test.err)
		}
		v.x.End()
	}
}

// TestBufferedResponsesAreUnchanged buffers a response, as a rule with a delay after the operation does. The
// client gets the same response as without the rule.
func TestBufferedResponsesAreUnchanged(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	for name, test := range map[string]struct {
		handle rest.Handler
		status int
		body   string
		err    error
	}{
		"a refusal": {handle: func(*rest.Exchange) error { return rest.Refuse("sandbox_full", "no") }, status: 507,
			body: `{"code":"sandbox_full","message":"no","status":507}` + "\n"},
		"a defect": {handle: func(*rest.Exchange) error { return cause }, status: 200, err: cause}, // for the log
		"a second status": {handle: func(x *rest.Exchange) error {
			_, err := io.WriteString(x.W, "a")
			x.W.WriteHeader(http.StatusTeapot)
			return err
		}, status: 200, body: "a"},
	} {
		v := newVisit(http.MethodGet, "/pets", nil)
		must.Get(v.x.Sandbox.Faults.Add(fault.Rule{When: fault.After}, 0))(t)
		v.to(Disturb(false), test.handle)
		if v.err != test.err || v.answer.Code != test.status || v.answer.Body.String() != test.body {
			t.Errorf("%s: error %v, response %d %q", name, v.err, v.answer.Code, v.answer.Body)
		}
	}
}
