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
	Changed     bool   `json:"changed"` // the lifecycle was changed in the sandbox
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
	list := []OperationStatus{}
	for _, op := range x.Sandbox.Lifecycles.Operations {
		list = append(list, status(x.Sandbox.Sandbox, &op))
	}
	return x.JSON(http.StatusOK, list)
}

func status(sb *sandbox.Sandbox, op *lifecycle.Operation) OperationStatus {
	l := sb.Lifecycles.Current(op.ID)
	return OperationStatus{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Tag: op.Tag,
		Calls:           sb.Report.Calls(op.Index),
		Changed:         sb.Lifecycles.Changed(op.ID) != nil,
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
	op, unknown := s.operation(x)
	if unknown != nil {
		_, err := object.Onto(lifecycle.Change{}, (*lifecycle.Change).Check)
		return nil, cmp.Or(err, unknown)
	}
	return func(sb *registry.Entry) (rest.Handler, error) {
		var err error
		sb.Lifecycles.Change(op, func(current lifecycle.Lifecycle) (l lifecycle.Lifecycle, ok bool) {
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
		return rest.WithJSON(http.StatusOK, status(sb.Sandbox, op)), err
	}, nil
}

func (s *Server) resetLifecycle(x *rest.Exchange) (rest.Step, error) {
	op, err := s.operation(x)
	return func(sb *registry.Entry) (rest.Handler, error) {
		sb.Lifecycles.Set(op, op.Lifecycle)
		return noContent, nil
	}, err
}

// operation returns the operation whose id is in the path, or a 404. All sandboxes have the same
// operations.
func (s *Server) operation(x *rest.Exchange) (*lifecycle.Operation, error) {
	return s.Sandboxes.Default().Lifecycles.Find(x.Params.Get("operationId"))
}
