package petstoretest

import (
	"time"

	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// Lifecycle is the lifecycle of an operation: deprecation, sunset and stability. See
// [Sandbox.SetLifecycle].
type Lifecycle struct {
	Stability Stability

	// Deprecated marks the operation as deprecated (RFC 9745) from DeprecatedSince on, which may be
	// in the future.
	Deprecated      bool
	DeprecatedSince time.Time

	// Sunset is the time of the operation's removal (RFC 8594). Zero means that no removal is
	// planned.
	Sunset time.Time
	// Successor is the request to make instead: a path with an optional query. In the successor,
	// {name} stands for the path parameter with that name. An empty Successor means that there is
	// none.
	Successor string
	// Advice is the part of a warning that describes the successor. It may contain the same
	// placeholders as Successor.
	Advice string

	// Brownout is the share of calls, from 0 to 1, that get a 410 from the deprecation until the
	// sunset is enforced.
	Brownout float64

	// EnforceSunset makes the operation return 410 from the sunset on.
	EnforceSunset bool
}

// Past reports whether there is a sunset and it is not after now. It does not matter whether the
// sunset is enforced.
func (l *Lifecycle) Past(now time.Time) bool { return (*lifecycle.Lifecycle)(l).Past(now) }

// Operation is an operation of the service with its state in a sandbox.
type Operation struct {
	ID, Method, Path, Tag string

	Calls     int64     // the number of calls since the last reset of the report
	Changed   bool      // whether its lifecycle was changed in the sandbox
	Lifecycle Lifecycle // its current lifecycle
}

// Operations returns every operation of the service, in the order of the OpenAPI document.
func (s *Sandbox) Operations() []Operation {
	s.t.Helper()
	var list []Operation
	lifecycles := &s.live().Lifecycles
	for i, op := range lifecycles.Operations {
		list = append(list, Operation{
			ID: op.ID, Method: op.Method, Path: op.Path, Tag: op.Tag,
			Calls:     s.live().Report.Calls(i),
			Changed:   lifecycles.Changed(op.ID) != nil,
			Lifecycle: Lifecycle(lifecycles.Current(op.ID)),
		})
	}
	return list
}

// Lifecycle returns the lifecycle of an operation.
func (s *Sandbox) Lifecycle(operationID string) Lifecycle {
	s.t.Helper()
	s.operation(operationID)
	return Lifecycle(s.live().Lifecycles.Current(operationID))
}

// SetLifecycle sets the lifecycle of an operation, from the next response on. Headers, the OpenAPI
// document, the log and the report reflect it. To change only a part of it, use
// [Sandbox.ChangeLifecycle].
//
// If l is deprecated and DeprecatedSince is zero, DeprecatedSince becomes the documented date or,
// if there is none, the current time of the sandbox's clock. Dates are truncated to whole seconds,
// as in headers. The Advice in l is ignored. The documented advice is used if the successor is the
// documented one; otherwise the advice is the successor.
func (s *Sandbox) SetLifecycle(operationID string, l Lifecycle) {
	s.t.Helper()
	s.ChangeLifecycle(operationID, func(current *Lifecycle) { *current = l })
}

// ChangeLifecycle calls change, which may modify parts of an operation's lifecycle.
// [Sandbox.SetLifecycle] sets all of it. If change sets Deprecated to false, ChangeLifecycle also
// clears the dates, the successor and the brown-out, and restores the documented EnforceSunset,
// except for the fields that change has set. A lock is held during the call, so change must not use
// the sandbox.
//
//	pets.ChangeLifecycle("getPet", func(l *petstoretest.Lifecycle) { l.EnforceSunset = true })
func (s *Sandbox) ChangeLifecycle(operationID string, change func(*Lifecycle)) {
	s.t.Helper()
	op, now := s.operation(operationID), s.Now()
	var problems field.Problems
	s.live().Lifecycles.Change(op, func(current lifecycle.Lifecycle) (lifecycle.Lifecycle, bool) {
		wanted := Lifecycle(current)
		change(&wanted)
		var l lifecycle.Lifecycle
		l, problems = op.Complete(current, lifecycle.Lifecycle(wanted), now)
		op.CheckEnforced(&l, &problems)
		return l, len(problems) == 0
	})
	s.mustNot("lifecycle", problems)
}

// ResetLifecycle restores an operation's documented lifecycle.
func (s *Sandbox) ResetLifecycle(operationID string) {
	s.t.Helper()
	op := s.operation(operationID)
	s.live().Lifecycles.Set(op, op.Lifecycle)
}

// operation returns the operation with the id, or fails the test.
func (s *Sandbox) operation(id string) *lifecycle.Operation {
	s.t.Helper()
	op, err := s.live().Lifecycles.Find(id)
	s.must(err)
	return op
}

// Report returns the uses of deprecated operations, in the order of their first calls. A use counts
// the calls of one operation by one caller. Only the first 1000 uses are recorded, or fewer if the
// server has no memory for more.
func (s *Sandbox) Report() []Use {
	s.t.Helper()
	uses, _ := s.live().Report.Uses()
	return uses
}

// ReportJUnit returns the report as a JUnit file, which makes a CI pipeline fail if a deprecated
// operation was used. It has a failed test case for each use in [Sandbox.Report], one more if there
// were deprecated calls that the report has no room for, and a passed test case for each deprecated
// operation that was not used.
func (s *Sandbox) ReportJUnit() string {
	s.t.Helper()
	sb := s.live()
	file, err := sb.Report.JUnit(&sb.Lifecycles, sb.Clock.Now())
	s.must(err)
	return string(file)
}
