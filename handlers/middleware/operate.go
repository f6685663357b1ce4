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

// Strict rejects unknown query parameters and body fields. In the control plane, it always does so,
// because a misspelt ?only= would reset everything. In the service, it does so only if always is
// set. Errors in the body's media type and size take precedence over unknown parameters.
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
	turns    = 2                // the number of requests that may read or generate a whole state at the same time
	turnWait = 30 * time.Second // the longest wait for a turn
)

// TakeTurns limits the requests that read or generate a whole state from their bodies. At most two
// of them run at the same time, and at most one in each sandbox. A request's turn starts after its
// body has arrived, so that a stalled client does not block other requests. A request gets a 503 if
// it has waited for turnWait. A request without a body takes no turn.
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

// turnsTaken tracks the turns that have started and not ended.
type turnsTaken struct {
	mu    sync.Mutex
	of    map[*registry.Entry]bool // the sandboxes with a turn; guarded by mu
	ended chan struct{}            // closed when the next turn ends; nil until a request has to wait; guarded by mu
}

// take takes a turn for the sandbox and returns nil. If no turn is free, take returns a channel
// that is closed when one may have become free.
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

// Run runs the operation in the request's sandbox, or in every sandbox if the request is for all of
// them. It first reserves memory for a write without a body. Other writes reserve memory when they
// read their bodies. After a successful operation of the control plane that may have changed the
// sandbox, Run publishes an event. Operations under [rest.DataPath] publish their own events.
func Run(sandboxes *registry.Registry) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		reserves := op.Keeps() && op.Body.Max == 0
		publishes := op.Kind == rest.Admin && op.UsesSandbox() && op.Mount == ""
		if !reserves && !publishes {
			return next
		}
		return func(x *rest.Exchange) error {
			if op.Change != nil && x.Sandbox == nil {
				return runEverywhere(x, sandboxes)
			}
			if reserves {
				if err := x.Reserve(memory.Write); err != nil {
					return err
				}
			}
			err := next(x)
			if err == nil && publishes {
				x.Sandbox.Journal.PublishUpdate()
			}
			return err
		}
	}
}

// maxFailures is the maximum number of failures that a response lists.
const maxFailures = 32

// Outcome is the response to a request for all sandboxes.
type Outcome struct {
	Done     int       `json:"done"`     // the number of sandboxes in which the request succeeded
	Failed   []Failure `json:"failed"`   // the first failures, at most maxFailures
	Failures int       `json:"failures"` // the number of all failures
}

// Failure is the error in one sandbox. The request has not changed this sandbox.
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

// runEverywhere reads a request under /sandboxes/* once, changes each sandbox independently, and
// responds with an [Outcome]. If the operation also changes the template, runEverywhere does this
// first, so that sandboxes created meanwhile contain the change.
func runEverywhere(x *rest.Exchange, sandboxes *registry.Registry) error {
	if err := x.TakeBody(); err != nil {
		return err
	}
	step, refused := x.Operation.Change(x)
	change := func(sb *registry.Entry) error {
		release, err := x.ReserveEach()
		if err != nil {
			return err
		}
		defer release()
		if refused != nil {
			return refused
		}
		if _, err := step(sb); err != nil {
			return err
		}
		sb.Journal.PublishUpdate()
		return nil
	}
	outcome := Outcome{Failed: []Failure{}}
	if x.Operation.InTemplate {
		if err := sandboxes.ChangeTemplate(change); err != nil {
			outcome.fail("*", rest.AsError(err))
		}
	}
	var full error
	for _, sb := range sandboxes.List() {
		sb.Claim()
		err := full
		if err == nil {
			err = change(sb)
		}
		if errors.Is(err, memory.ErrFull) {
			full = err // do not try the others: each attempt would wait for a garbage collection too
		}
		if err != nil {
			outcome.fail(sb.Name, rest.AsError(err))
			continue
		}
		outcome.Done++
	}
	return x.JSON(http.StatusOK, outcome)
}
