package petstoretest

import (
	"errors"
	"fmt"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// Operation is an operation of the service as it is in a sandbox.
type Operation struct {
	ID, Method, Path, Tag string

	Calls     int64             // since the last reset
	Changed   bool              // whether its lifecycle was changed in the sandbox
	Lifecycle sandbox.Lifecycle // what it says about its age there
}

// Operations returns every operation of the service, in the order of the document.
func (s *Sandbox) Operations() []Operation {
	var list []Operation
	lifecycles := &s.sandbox.Lifecycles
	for i, op := range lifecycles.Operations() {
		list = append(list, Operation{
			ID: op.ID, Method: op.Method, Path: op.Path, Tag: op.Tag,
			Calls:     s.sandbox.Report.Calls(i),
			Changed:   lifecycles.Changed(op.ID) != nil,
			Lifecycle: lifecycles.Current(op.ID),
		})
	}
	return list
}

// Lifecycle returns what an operation says about its age.
func (s *Sandbox) Lifecycle(operationID string) sandbox.Lifecycle {
	s.t.Helper()
	s.operation(operationID)
	return s.sandbox.Lifecycles.Current(operationID)
}

// SetLifecycle makes an operation say something else about its age from the next
// answer on: headers, OpenAPI document, log and report follow. To change just a
// part, change what [Sandbox.Lifecycle] returns.
//
// A deprecation without a date is as old as the document has it, else since now by
// the sandbox's clock. Dates count in whole seconds, as in headers. Advice is not
// taken from l: it is the document's as long as the successor is, else the successor.
func (s *Sandbox) SetLifecycle(operationID string, l sandbox.Lifecycle) {
	s.t.Helper()
	op := s.operation(operationID)
	if l.Deprecated && l.DeprecatedSince.IsZero() {
		l.DeprecatedSince = op.Lifecycle.DeprecatedSince
		if l.DeprecatedSince.IsZero() {
			l.DeprecatedSince = s.Now()
		}
	}
	l.Advice = l.Successor
	if l.Successor == op.Lifecycle.Successor {
		l.Advice = op.Lifecycle.Advice
	}
	l.DeprecatedSince = l.DeprecatedSince.UTC().Truncate(time.Second)
	l.Sunset = l.Sunset.UTC().Truncate(time.Second)
	s.must(checkLifecycle(op, &l))
	s.sandbox.Lifecycles.Set(op.ID, &l)
}

// ResetLifecycle returns an operation to what the document says about its age.
func (s *Sandbox) ResetLifecycle(operationID string) {
	s.t.Helper()
	s.sandbox.Lifecycles.Set(s.operation(operationID).ID, nil)
}

// operation returns the operation of the id, or ends the test.
func (s *Sandbox) operation(id string) *sandbox.Operation {
	s.t.Helper()
	op, ok := s.sandbox.Lifecycles.Find(id)
	if !ok {
		s.must(noOperation(id))
	}
	return op
}

func noOperation(id string) error {
	return fmt.Errorf("the service has no operation %q; Operations lists them", id)
}

// checkLifecycle returns everything that an operation cannot say about its age.
func checkLifecycle(op *sandbox.Operation, l *sandbox.Lifecycle) error {
	faults := []error{l.Check(), op.CheckSuccessor(l.Successor)}
	refuse := func(when bool, message string) {
		if when {
			faults = append(faults, errors.New(message))
		}
	}
	const permanent = "what watches the server calls the operation, so that it never answers 410; leave out EnforceSunset and Brownout"
	refuse(op.Permanent && (l.EnforceSunset || l.Brownout > 0), permanent)
	refuse(!(l.Brownout >= 0 && l.Brownout <= 1), fmt.Sprintf("Brownout must be a share from 0 to 1, not %v", l.Brownout))
	switch l.Stability {
	case "", sandbox.Beta, sandbox.Experimental:
	default:
		refuse(true, fmt.Sprintf("Stability must be experimental, beta or empty for stable, not %q", l.Stability))
	}
	refuse(!l.Deprecated && (!l.DeprecatedSince.IsZero() || l.Successor != "" || l.Brownout > 0),
		"DeprecatedSince, Successor and Brownout say nothing while the operation is not deprecated; set Deprecated too")
	for _, date := range []time.Time{l.DeprecatedSince, l.Sunset} {
		refuse(date.Year() < 1 || date.Year() > 9999, fmt.Sprintf("a date must lie in the years 1 to 9999, not %v", date))
	}
	return errors.Join(faults...)
}
