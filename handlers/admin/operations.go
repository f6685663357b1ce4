package admin

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// OperationStatus is an operation of the service with what it says of its age in
// the sandbox and how often it was called there.
type OperationStatus struct {
	OperationID     string            `json:"operationId"`
	Method          string            `json:"method"`
	Path            string            `json:"path"`
	Tag             string            `json:"tag"`
	Calls           int64             `json:"calls"`
	Changed         bool              `json:"changed"` // in this sandbox
	Deprecated      bool              `json:"deprecated"`
	DeprecatedSince string            `json:"deprecatedSince,omitzero"` // a date where it is midnight in UTC, else a date-time
	Sunset          string            `json:"sunset,omitzero"`          // likewise
	Successor       string            `json:"successor,omitzero"`
	Stability       sandbox.Stability `json:"stability,omitzero"`
	EnforceSunset   bool              `json:"enforceSunset"`
	Brownout        float64           `json:"brownout"`
}

func (s *Server) listOperations(x *rest.Exchange) error {
	operations := x.Sandbox.Lifecycles.Operations()
	list := make([]OperationStatus, len(operations))
	for i := range operations {
		list[i] = status(x.Sandbox, i)
	}
	return x.JSON(http.StatusOK, list)
}

// status returns the status of the operation of the index.
func status(sb *sandbox.Sandbox, i int) OperationStatus {
	op := &sb.Lifecycles.Operations()[i]
	l := op.Lifecycle
	changed := sb.Lifecycles.Changed(op.ID)
	if changed != nil {
		l = *changed
	}
	return OperationStatus{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Tag: op.Tag,
		Calls:           sb.Report.Calls(i),
		Changed:         changed != nil,
		Deprecated:      l.Deprecated,
		DeprecatedSince: writeDay(l.DeprecatedSince),
		Sunset:          writeDay(l.Sunset),
		Successor:       l.Successor,
		Stability:       l.Stability,
		EnforceSunset:   l.EnforceSunset,
		Brownout:        l.Brownout,
	}
}

func (s *Server) setLifecycle(x *rest.Exchange) error {
	var body lifecycleChange
	var l sandbox.Lifecycle
	i, unknown := operation(x)
	err := x.Decode(&body, body.read, func() (faults []rest.Detail) {
		if unknown == nil {
			l, faults = body.apply(&x.Sandbox.Lifecycles.Operations()[i], x.Sandbox.Clock.Now())
		}
		return faults
	})
	if err := cmp.Or(err, unknown); err != nil {
		return err
	}
	x.Sandbox.Lifecycles.Set(x.Sandbox.Lifecycles.Operations()[i].ID, &l)
	return x.JSON(http.StatusOK, status(x.Sandbox, i))
}

func (s *Server) resetLifecycle(x *rest.Exchange) error {
	i, err := operation(x)
	if err != nil {
		return err
	}
	x.Sandbox.Lifecycles.Set(x.Sandbox.Lifecycles.Operations()[i].ID, nil)
	return x.NoContent()
}

// operation returns the index of the operation that the path names, or a 404.
func operation(x *rest.Exchange) (int, error) {
	id := x.Params["operationId"]
	for i, op := range x.Sandbox.Lifecycles.Operations() {
		if op.ID == id {
			return i, nil
		}
	}
	return 0, &rest.Error{
		Status:  http.StatusNotFound,
		Code:    "not_found",
		Message: fmt.Sprintf("the service has no operation %s; GET /admin/operations lists them", quote(id)),
	}
}

// stable is what a body calls the stability of an operation that announces none.
const stable = "stable"

// lifecycleChange is the body of setLifecycle. What is left out stays as in the
// document; an empty sunset or successor means that there is none.
type lifecycleChange struct {
	Deprecated      *bool    `json:"deprecated"`
	DeprecatedSince *string  `json:"deprecatedSince"`
	Sunset          *string  `json:"sunset"`
	Successor       *string  `json:"successor"`
	Stability       *string  `json:"stability"`
	EnforceSunset   *bool    `json:"enforceSunset"`
	Brownout        *float64 `json:"brownout"`

	since, sunset time.Time // what their texts come to
}

// read reads the texts of the body and returns what is wrong with them, whatever
// the operation is.
func (c *lifecycleChange) read() (faults []rest.Detail) {
	fault := func(field, message string) {
		faults = append(faults, rest.Detail{Field: field, Message: message})
	}
	var wrong string
	if c.DeprecatedSince != nil {
		if c.since, wrong = readDay(*c.DeprecatedSince); wrong != "" {
			fault("/deprecatedSince", wrong)
		}
	}
	if c.Sunset != nil && *c.Sunset != "" {
		if c.sunset, wrong = readDay(*c.Sunset); wrong != "" {
			fault("/sunset", wrong)
		}
	}
	if c.Stability != nil {
		switch *c.Stability {
		case string(sandbox.Experimental), string(sandbox.Beta), stable:
		default:
			fault("/stability", "must be experimental, beta or stable, not "+quote(*c.Stability))
		}
	}
	if c.Brownout != nil && (*c.Brownout < 0 || *c.Brownout > 1) {
		fault("/brownout", fmt.Sprintf("must be a share from 0 to 1, not %g", *c.Brownout))
	}
	return faults
}

// apply returns the operation's lifecycle with the change, or what of it cannot be.
func (c *lifecycleChange) apply(op *sandbox.Operation, now time.Time) (l sandbox.Lifecycle, faults []rest.Detail) {
	fault := func(field, message string) {
		faults = append(faults, rest.Detail{Field: field, Message: message})
	}
	l = op.Lifecycle
	set(&l.Deprecated, c.Deprecated)
	set(&l.EnforceSunset, c.EnforceSunset)
	set(&l.Brownout, c.Brownout)
	if c.Stability != nil {
		l.Stability = sandbox.Stability(*c.Stability)
		if *c.Stability == stable {
			l.Stability = ""
		}
	}
	const permanent = "cannot be: what watches the server calls the operation, so that it never answers 410; leave it out"
	if op.Permanent && l.EnforceSunset {
		fault("/enforceSunset", permanent)
	}
	if op.Permanent && l.Brownout > 0 {
		fault("/brownout", permanent)
	}
	if !l.Deprecated {
		for _, field := range []struct {
			name  string
			given bool
		}{
			{"/deprecatedSince", c.DeprecatedSince != nil},
			{"/sunset", c.Sunset != nil && *c.Sunset != ""},
			{"/successor", c.Successor != nil && *c.Successor != ""},
			{"/brownout", l.Brownout > 0},
		} {
			if field.given {
				fault(field.name, "says nothing while the operation is not deprecated; set deprecated to true or leave it out")
			}
		}
		return sandbox.Lifecycle{Stability: l.Stability, EnforceSunset: l.EnforceSunset}, faults
	}
	switch {
	case c.DeprecatedSince != nil:
		l.DeprecatedSince = c.since
	case !op.Lifecycle.Deprecated:
		l.DeprecatedSince = now.Truncate(time.Second)
	}
	if c.Sunset != nil {
		l.Sunset = c.sunset
	}
	if err := l.Check(); err != nil {
		fault("/sunset", err.Error())
	}
	if c.Successor != nil {
		l.Successor, l.Advice = *c.Successor, *c.Successor
		if wrong := op.CheckSuccessor(l.Successor); wrong != nil {
			fault("/successor", wrong.Error())
		}
	}
	return l, faults
}

// set sets what is given.
func set[T any](to *T, given *T) {
	if given != nil {
		*to = *given
	}
}
