package admin

import (
	"cmp"
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
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
		DeprecatedSince: sandbox.FormatDay(l.DeprecatedSince),
		Sunset:          sandbox.FormatDay(l.Sunset),
		Successor:       l.Successor,
		Stability:       l.Stability,
		EnforceSunset:   l.EnforceSunset,
		Brownout:        l.Brownout,
	}
}

func (s *Server) setLifecycle(x *rest.Exchange) error {
	var l sandbox.Lifecycle
	i, unknown := operation(x)
	_, err := rest.Read(x, lifecycleFields, func(body *lifecycleChange) (problems field.Problems) {
		if unknown != nil {
			return body.check()
		}
		l, problems = body.apply(&x.Sandbox.Lifecycles.Operations()[i], x.Sandbox.Clock.Now())
		return problems
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
	return 0, rest.Refuse("not_found", x.Sandbox.Lifecycles.Unknown(id, operationList))
}

// operationList is where a client sees the operations that there are.
const operationList = "GET /admin/operations"

// lifecycleChange is the body of setLifecycle. What is left out stays as in the
// document; an empty sunset or successor means that there is none.
type lifecycleChange struct {
	deprecated      *bool
	deprecatedSince *string
	sunset          *string
	successor       *string
	stability       *sandbox.Stability
	enforceSunset   *bool
	brownout        *float64
}

var lifecycleFields = field.Fields[lifecycleChange]{
	field.Pointer("deprecated", func(c *lifecycleChange) **bool { return &c.deprecated }, field.Boolean),
	field.Pointer("deprecatedSince", func(c *lifecycleChange) **string { return &c.deprecatedSince }, field.AnyText),
	field.Pointer("sunset", func(c *lifecycleChange) **string { return &c.sunset }, field.AnyText),
	field.Pointer("successor", func(c *lifecycleChange) **string { return &c.successor }, field.AnyText),
	field.Pointer("stability", func(c *lifecycleChange) **sandbox.Stability { return &c.stability }, field.AnyText),
	field.Pointer("enforceSunset", func(c *lifecycleChange) **bool { return &c.enforceSunset }, field.Boolean),
	field.Pointer("brownout", func(c *lifecycleChange) **float64 { return &c.brownout }, field.Number),
}

// apply returns the operation's lifecycle with the change, and what is wrong with it.
func (c *lifecycleChange) apply(op *sandbox.Operation, now time.Time) (sandbox.Lifecycle, field.Problems) {
	l, problems := c.on(op.Lifecycle)
	l, more := op.Complete(l, now)
	return l, append(problems, more...)
}

// check returns what is wrong with the change where there is no operation, so that
// nobody knows whether it is deprecated.
func (c *lifecycleChange) check() field.Problems {
	l, problems := c.on(sandbox.Lifecycle{})
	l.Deprecated = true
	return append(problems, l.Check()...)
}

// on returns the lifecycle with the change, and which of its texts are no dates.
func (c *lifecycleChange) on(l sandbox.Lifecycle) (sandbox.Lifecycle, field.Problems) {
	var problems field.Problems
	date := func(at, text string) time.Time {
		day, wrong := sandbox.ParseDay(text)
		if wrong != "" {
			problems.Add(at, "%s, not %s", wrong, field.Quote(text))
			return time.Time{}
		}
		return day
	}
	set(&l.Deprecated, c.deprecated)
	if !l.Deprecated { // nothing of the document's deprecation is left
		l = sandbox.Lifecycle{Stability: l.Stability, EnforceSunset: l.EnforceSunset}
	}
	set(&l.EnforceSunset, c.enforceSunset)
	set(&l.Brownout, c.brownout)
	set(&l.Successor, c.successor)
	set(&l.Stability, c.stability)
	if c.deprecatedSince != nil {
		l.DeprecatedSince = date("/deprecatedSince", *c.deprecatedSince)
	}
	unknown := len(problems) > 0
	if c.sunset != nil {
		l.Sunset = time.Time{}
		if *c.sunset != "" {
			l.Sunset = date("/sunset", *c.sunset)
		}
	}
	if unknown {
		l.DeprecatedSince = l.Sunset // of which nothing can be said then, neither right nor wrong
	}
	if c.stability != nil && *c.stability == "" {
		problems.Add("/stability", `must be experimental, beta or stable, not ""`)
	}
	return l, problems
}

// set sets what is given.
func set[T any](to *T, given *T) {
	if given != nil {
		*to = *given
	}
}
