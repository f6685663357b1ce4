package middleware

import (
	"cmp"
	"errors"
	"net/http"
	"sync"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/memory"
)

// Strict rejects unknown query parameters and body fields: always in the control plane, where a
// misspelt ?only= would reset everything, and in the service if always is set. Errors in the body's
// media type and size take precedence over unknown parameters.
func Strict(always bool) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op.Kind == rest.Page || op.Kind != rest.Admin && !always {
			return next
		}
		return func(x *rest.Exchange) error {
			x.Strict = true
			if x.R.URL.RawQuery != "" {
				if err := cmp.Or(x.TakeBody(), x.ReadQuery().Err()); err != nil {
					return err
				}
			}
			return next(x)
		}
	}
}

const (
	turns    = 2                // how many requests may read or generate a whole state at a time
	turnWait = 30 * time.Second // the longest wait for a turn
)

// TakeTurns runs at most two requests at a time that read or generate a whole state, and at most
// one per sandbox. A turn begins once the request's body has arrived, so that a stalled client does
// not block other requests. A request that has waited 30 seconds for its turn gets a 503.
func TakeTurns() rest.Link {
	taken := turnsTaken{of: make(map[*registry.Entry]bool)}
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if !op.TakesTurn {
			return next
		}
		return func(x *rest.Exchange) error {
			if x.R.ContentLength == 0 {
				return next(x)
			}
			if err := x.TakeBody(); err != nil {
				return err
			}
			sb := x.Sandbox // nil if the request is for all sandboxes
			if err := x.TakeTurn(func() <-chan struct{} { return taken.take(sb) }, turnWait); err != nil {
				return err
			}
			defer taken.giveBack(sb)
			if err := x.ReserveImport(); err != nil {
				return err
			}
			return next(x)
		}
	}
}

// turnsTaken tracks the running turns.
type turnsTaken struct {
	mu    sync.Mutex
	of    map[*registry.Entry]bool // guarded by mu: the sandboxes with a turn
	ended chan struct{}            // guarded by mu: closed when a turn ends; nil if no request waits
}

// take takes a turn for the sandbox and returns nil. If it cannot, it returns a channel that is
// closed when trying again may succeed.
func (t *turnsTaken) take(sb *registry.Entry) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.of) < turns && !t.of[sb] {
		t.of[sb] = true
		return nil
	}
	if t.ended == nil {
		t.ended = make(chan struct{})
	}
	return t.ended
}

func (t *turnsTaken) giveBack(sb *registry.Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, sb)
	if t.ended != nil {
		close(t.ended)
		t.ended = nil
	}
}

// NoteUpdate publishes an event after an operation of the control plane that may have changed the
// sandbox. Changes to the data have their own events.
func NoteUpdate(op *rest.Operation, next rest.Handler) rest.Handler {
	if op.Kind != rest.Admin || !op.UsesSandbox() || op.Mount != "" {
		return next
	}
	return func(x *rest.Exchange) error {
		err := next(x)
		if err == nil {
			x.Sandbox.Journal.PublishUpdate()
		}
		return err
	}
}

// maxFailures is the maximum number of failures that a response lists.
const maxFailures = 32

// Outcome is the result of a request for all sandboxes.
type Outcome struct {
	Done     int       `json:"done"`     // the number of sandboxes in which the request succeeded
	Failed   []Failure `json:"failed"`   // the first failures
	Failures int       `json:"failures"` // the number of failures
}

// Failure is the error for one sandbox, which the request has not changed.
type Failure struct {
	Sandbox string      `json:"sandbox"` // the sandbox's name, or "*" for the template
	Error   *rest.Error `json:"error"`
}

func (o *Outcome) fail(name string, e *rest.Error) {
	o.Failures++
	if len(o.Failed) < maxFailures {
		o.Failed = append(o.Failed, Failure{name, e})
	}
}

// Everywhere carries out a request under /sandboxes/* in each sandbox independently, and responds
// with an [Outcome]. It changes the template first, so that sandboxes created meanwhile have the
// change too.
func Everywhere(sandboxes *registry.Registry) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if !op.Everywhere || op.Stream { // a stream itself covers all sandboxes
			return next
		}
		return func(x *rest.Exchange) error {
			if !x.Everywhere() {
				return next(x)
			}
			if err := x.TakeBody(); err != nil {
				return err
			}
			outcome := Outcome{Failed: []Failure{}}
			made := make(http.Header) // response headers that are the same for all sandboxes
			if op.InTemplate {
				err := sandboxes.ChangeTemplate(func(template *registry.Entry) error { return doIn(x, template, made, next) })
				if err != nil {
					outcome.fail("*", rest.AsError(err))
				}
			}
			var full error
			for _, sb := range sandboxes.List() {
				sb.Claim()
				err := full
				if err == nil {
					err = doIn(x, sb, made, next)
				}
				if errors.Is(err, memory.ErrFull) {
					full = err // every other sandbox would wait for a garbage collection too
				}
				if err != nil {
					outcome.fail(sb.Name, rest.AsError(err))
					continue
				}
				outcome.Done++
			}
			if location := made.Get("Location"); location != "" {
				x.SetHeader("Location", location)
			}
			return x.JSON(http.StatusOK, outcome)
		}
	}
}

// doIn carries out the request in one sandbox and keeps only the headers of its response.
func doIn(x *rest.Exchange, sb *registry.Entry, header http.Header, do rest.Handler) error {
	defer func(w http.ResponseWriter) { x.W = w }(x.W)
	x.W = &recorder{header: header}
	return x.In(sb, do)
}
