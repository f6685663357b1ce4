package admin

import (
	"cmp"
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// OperationStatus describes an operation of the service, with its lifecycle and its number of calls
// in the sandbox.
type OperationStatus struct {
	OperationID     string            `json:"operationId"`
	Method          string            `json:"method"`
	Path            string            `json:"path"`
	Tag             string            `json:"tag"`
	Calls           int64             `json:"calls"`
	Changed         bool              `json:"changed"` // the sandbox has changed the lifecycle
	Deprecated      bool              `json:"deprecated"`
	DeprecatedSince string            `json:"deprecatedSince,omitzero"` // a date if the time is midnight in UTC, else a date-time
	Sunset          string            `json:"sunset,omitzero"`          // in the format of deprecatedSince
	Successor       string            `json:"successor,omitzero"`
	Stability       sandbox.Stability `json:"stability,omitzero"`
	EnforceSunset   bool              `json:"enforceSunset"`
	Brownout        float64           `json:"brownout"`
}

func (s *Server) listOperations(x *rest.Exchange) error {
	operations := x.Sandbox.Lifecycles.Operations()
	list := make([]OperationStatus, len(operations))
	for i := range operations {
		list[i] = status(x.Sandbox.Sandbox, i)
	}
	return x.JSON(http.StatusOK, list)
}

// status returns the status of the operation with index i.
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

// changeLifecycle handles PUT and PATCH. A PUT starts from the initial lifecycle, and a PATCH
// starts from the current lifecycle.
func (s *Server) changeLifecycle(x *rest.Exchange) error {
	if _, err := x.Body(); err != nil { // read the body before Change locks the lifecycles
		return err
	}
	i, unknown := operation(x)
	if unknown != nil {
		_, err := rest.Read(x, sandbox.LifecycleFields, (*sandbox.LifecycleChange).Check)
		return cmp.Or(err, unknown)
	}
	op := &x.Sandbox.Lifecycles.Operations()[i]
	var err error
	x.Sandbox.Lifecycles.Change(op.ID, func(current sandbox.Lifecycle) (l sandbox.Lifecycle, ok bool) {
		var before sandbox.Lifecycle
		var change sandbox.LifecycleChange
		if x.R.Method == http.MethodPatch {
			before, change = current, sandbox.PatchOf(current)
		}
		_, err = rest.ReadOnto(x, change, sandbox.LifecycleFields, func(change *sandbox.LifecycleChange) (problems field.Problems) {
			l, problems = change.Apply(op, before, x.Sandbox.Clock.Now())
			op.CheckEnforced(&l, &problems)
			return problems
		})
		return l, err == nil
	})
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, status(x.Sandbox.Sandbox, i))
}

func (s *Server) resetLifecycle(x *rest.Exchange) error {
	i, err := operation(x)
	if err != nil {
		return err
	}
	x.Sandbox.Lifecycles.Set(x.Sandbox.Lifecycles.Operations()[i].ID, nil)
	return x.NoContent()
}

// operation returns the index of the operation whose id is in the path, or a 404.
func operation(x *rest.Exchange) (int, error) {
	id := x.Params["operationId"]
	for i, op := range x.Sandbox.Lifecycles.Operations() {
		if op.ID == id {
			return i, nil
		}
	}
	return 0, x.Sandbox.Lifecycles.Unknown(id)
}
