package sandbox

import (
	"slices"
	"strings"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// CheckRule validates a fault rule of the sandbox, including whether it can match any request. list
// names the list of operations for the reader, such as "GET /admin/operations". allowed limits the
// response headers.
func (s *Sandbox) CheckRule(r *fault.Rule, list string, allowed fault.Allowed) field.Problems {
	headers := s.options.FaultHeaders
	headers.Allowed = allowed
	problems := r.Check(s.operationCheck(list, " is never affected by faults; choose another operation"), headers)
	inMatch := func(p field.Problem) bool { return strings.HasPrefix(p.Field, "/match/") }
	if r.Match == nil || slices.ContainsFunc(problems, inMatch) {
		return problems
	}
	if at, wrong := s.neverMatches(r.Match.OperationID, r.Match.Method, r.Match.Path, list); wrong != "" {
		problems.Add("/match"+at, "%s", wrong)
	}
	return problems
}

// CheckFilter validates a filter of the sandbox's journal, which also has requests without an
// operation.
func (s *Sandbox) CheckFilter(f *journal.Filter, list string) field.Problems {
	problems := f.Check(s.operationCheck(list, " is never in the journal; choose another operation"))
	if f.OperationID == "" || len(problems) > 0 {
		return problems
	}
	if at, wrong := s.neverMatches(f.OperationID, strings.ToUpper(f.Method), f.Path, list); wrong != "" {
		problems.Add(at, "%s", wrong)
	}
	return problems
}

// operationCheck returns a function that validates an operationId; it returns "" for a valid one.
// permanent is the message for operations without faults.
func (s *Sandbox) operationCheck(list, permanent string) func(id string) string {
	return func(id string) string {
		op, ok := s.Lifecycles.Find(id)
		switch {
		case !ok:
			return s.Lifecycles.Unknown(id, list)
		case op.Permanent:
			return id + permanent
		}
		return ""
	}
}

// neverMatches explains why no request can have the operationId, the method and the path (any may
// be empty), and which of them is wrong.
func (s *Sandbox) neverMatches(id, method, path, list string) (at, wrong string) {
	const never = "never matches: "
	var own string // the path of that operation
	var methods []string
	for _, op := range s.Lifecycles.Operations() {
		if op.Permanent || id != "" && id != op.ID {
			continue
		}
		own = op.Path
		if path != "" && !pattern.MatchesAny(path, op.Path) {
			continue
		}
		if method == "" || method == op.Method || method == "HEAD" && op.Method == "GET" {
			return "", ""
		}
		methods = append(methods, op.Method)
	}
	switch {
	case methods == nil && id != "":
		return "/path", never + "the path of " + id + " is " + own
	case methods == nil:
		return "/path", never + "no operation that faults affect has such a path; " + list + " lists them"
	case id != "":
		return "/method", never + id + " is " + methods[0] + ", not " + method
	case len(methods) == 1:
		return "/method", never + "at this path there is only " + methods[0]
	}
	slices.Sort(methods)
	return "/method", never + "at this path there are only " + field.And(slices.Compact(methods))
}
