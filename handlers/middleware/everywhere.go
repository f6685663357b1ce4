package middleware

import (
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// maxFailures is the most failures that a response lists.
const maxFailures = 32

// Outcome is the result of a request for all sandboxes.
type Outcome struct {
	Done     int       `json:"done"`     // the number of sandboxes
	Failed   []Failure `json:"failed"`   // the first failures
	Failures int       `json:"failures"` // the number of failures
}

// Failure is a sandbox that refused the request and is unchanged.
type Failure struct {
	Sandbox string      `json:"sandbox"` // "*" is the template
	Error   *rest.Error `json:"error"`
}

func (o *Outcome) fail(name string, e *rest.Error) {
	o.Failures++
	if len(o.Failed) < maxFailures {
		o.Failed = append(o.Failed, Failure{name, e})
	}
}

// Everywhere carries out a request under /sandboxes/* in each sandbox independently, and returns
// the number of successes. The template is changed first, so that sandboxes created in the meantime
// are changed too.
func Everywhere(sandboxes *sandbox.Registry) rest.Link {
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

// doIn carries out the request in one sandbox and keeps only the headers of its response.
func doIn(x *rest.Exchange, sb *sandbox.Sandbox, header http.Header, do rest.Handler) error {
	defer func(w http.ResponseWriter) { x.W = w }(x.W)
	x.W = &recorder{header: header}
	return x.In(sb, do)
}
