package middleware

import (
	"bytes"
	"errors"
	"net/http"
	"testing"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/memory"
)

// TestRecordedAnswersAreBounded records a long answer: none of it is kept where it is not
// wanted, and where there is no memory for it the request is refused.
func TestRecordedAnswersAreBounded(t *testing.T) {
	t.Parallel()
	piece := bytes.Repeat([]byte("x"), 16<<10)
	long := func(x *rest.Exchange) error {
		for range 64 { // 1 MiB
			if _, err := x.W.Write(piece); err != nil {
				return nil // as of a client that has gone
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
