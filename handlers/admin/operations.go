package admin

import (
	"cmp"
	"net/http"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// OperationStatus describes an operation of the service, with its lifecycle and its number of calls
// in the sandbox.
type OperationStatus struct {
	OperationID string `json:"operationId"`
	Method      string `json:"method"`
	Path        string `json:"path"`
	Tag         string `json:"tag"`
	Calls       int64  `json:"calls"`
	Changed     bool   `json:"changed"` // the sandbox has changed the lifecycle
	Deprecated  bool   `json:"deprecated"`
	// DeprecatedSince is a date if the time is midnight in UTC, else a date-time.
	DeprecatedSince string              `json:"deprecatedSince,omitzero"`
	Sunset          string              `json:"sunset,omitzero"` // in the format of deprecatedSince
	Successor       string              `json:"successor,omitzero"`
	Stability       lifecycle.Stability `json:"stability,omitzero"`
	EnforceSunset   bool                `json:"enforceSunset"`
	Brownout        float64             `json:"brownout"`
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
		DeprecatedSince: lifecycle.FormatDay(l.DeprecatedSince),
		Sunset:          lifecycle.FormatDay(l.Sunset),
		Successor:       l.Successor,
		Stability:       l.Stability,
		EnforceSunset:   l.EnforceSunset,
		Brownout:        l.Brownout,
	}
}

// changeLifecycle handles PUT and PATCH. A PUT starts from the initial lifecycle, and a PATCH
// starts from the current lifecycle.
func (s *Server) changeLifecycle(x *rest.Exchange) (rest.Step, error) {
	object, err := rest.ReadObject(x, lifecycle.Fields)
	if err != nil {
		return nil, err
	}
	i, unknown := s.operation(x)
	if unknown != nil {
		_, err := object.Onto(lifecycle.Change{}, (*lifecycle.Change).Check)
		return nil, cmp.Or(err, unknown)
	}
	return func(sb *registry.Entry) (rest.Handler, error) {
		op := &sb.Lifecycles.Operations()[i]
		var err error
		sb.Lifecycles.Change(op.ID, func(current lifecycle.Lifecycle) (l lifecycle.Lifecycle, ok bool) {
			var before lifecycle.Lifecycle
			var change lifecycle.Change
			if x.R.Method == http.MethodPatch {
				before, change = current, lifecycle.PatchOf(current)
			}
			_, err = object.Onto(change, func(change *lifecycle.Change) (problems field.Problems) {
				l, problems = change.Apply(op, before, sb.Clock.Now())
				op.CheckEnforced(&l, &problems)
				return problems
			})
			return l, err == nil
		})
		return rest.WithJSON(http.StatusOK, status(sb.Sandbox, i)), err
	}, nil
}

func (s *Server) resetLifecycle(x *rest.Exchange) (rest.Step, error) {
	i, err := s.operation(x)
	return func(sb *registry.Entry) (rest.Handler, error) {
		sb.Lifecycles.Set(sb.Lifecycles.Operations()[i].ID, nil)
		return noContent, nil
	}, err
}

// operation returns the index of the operation whose id is in the path, or a 404. The index is the
// same in every sandbox.
func (s *Server) operation(x *rest.Exchange) (int, error) {
	id, all := x.Params["operationId"], &s.Sandboxes.Default().Lifecycles
	for i, op := range all.Operations() {
		if op.ID == id {
			return i, nil
		}
	}
	return 0, all.Unknown(id)
}
