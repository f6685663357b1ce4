package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// maxFailures is how many sandboxes in which a request failed are listed.
const maxFailures = 32

// Outcome is what came of a request for all sandboxes.
type Outcome struct {
	Done     int       `json:"done"`     // in how many sandboxes
	Failed   []Failure `json:"failed"`   // the first of those in which it was refused
	Failures int       `json:"failures"` // how many those are
}

// Failure is a sandbox in which a request was refused, and has changed nothing.
type Failure struct {
	Sandbox string      `json:"sandbox"` // "*": the template
	Error   *rest.Error `json:"error"`
}

func (o *Outcome) fail(name string, e *rest.Error) {
	o.Failures++
	if len(o.Failed) < maxFailures {
		o.Failed = append(o.Failed, Failure{name, e})
	}
}

// Everywhere does what a request under /sandboxes/* asks for in every sandbox, each by
// itself, and answers in how many it was done. The template comes first, so that no sandbox
// that is made meanwhile goes without.
func Everywhere(sandboxes *sandbox.Registry) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !x.Everywhere() || x.Operation.Stream { // which is one of all
				return next(x)
			}
			if err := x.TakeBody(); err != nil {
				return err
			}
			outcome := Outcome{Failed: []Failure{}}
			made := make(http.Header) // by the request, in all of them alike
			if x.Operation.InTemplate {
				err := sandboxes.ChangeTemplate(func(template *sandbox.Sandbox) error { return doIn(x, template, made, next) })
				if err != nil {
					outcome.fail("*", rest.AsError(err))
				}
			}
			for _, sb := range sandboxes.List() {
				sb.Claim()
				if err := doIn(x, sb, made, next); err != nil {
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

// doIn does what the request asks for in a sandbox, and drops the answer but for its header.
func doIn(x *rest.Exchange, sb *sandbox.Sandbox, header http.Header, do rest.Handler) error {
	defer func(w http.ResponseWriter) { x.W = w }(x.W)
	x.W = &recorder{header: header}
	return x.In(sb, do)
}
