package sandbox

import (
	"errors"
	"slices"
	"strings"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// CheckRule validates a fault rule for the sandbox. Among other things, it checks that some request
// can match the rule. allowed limits the response headers that the rule may set.
func (s *Sandbox) CheckRule(r *fault.Rule, allowed fault.Allowed) field.Problems {
	problems := r.Check(s.operationCheck(" is never affected by faults; choose another operation"), allowed)
	inMatch := func(p field.Problem) bool { return strings.HasPrefix(p.Field, "/match/") }
	if r.Match == nil || slices.ContainsFunc(problems, inMatch) {
		return problems
	}
	return append(problems, s.neverMatches(r.Match.OperationID, r.Match.Method, r.Match.Path).Under("/match")...)
}

// CheckFilter validates a filter for the sandbox's journal. Without an operationId, the filter may
// have any method and path, because the journal also has requests that match no operation.
func (s *Sandbox) CheckFilter(f *journal.Filter) field.Problems {
	problems := f.Check(s.operationCheck(" is never in the journal; choose another operation"))
	if f.OperationID == "" || len(problems) > 0 {
		return problems
	}
	return s.neverMatches(f.OperationID, strings.ToUpper(f.Method), f.Path)
}

// operationCheck returns a function that validates an operationId. permanent is the end of the
// error message for an operation that is permanent.
func (s *Sandbox) operationCheck(permanent string) func(id string) error {
	return func(id string) error {
		op, err := s.Lifecycles.Find(id)
		if err == nil && op.Permanent {
			return errors.New(id + permanent)
		}
		return err
	}
}

// neverMatches returns a problem if no request can have the operationId, the method and the path.
// Each of them may be empty.
func (s *Sandbox) neverMatches(id, method, path string) (problems field.Problems) {
	const never = "never matches: "
	var opPath string // the path of the operation named by id
	var methods []string
	for _, op := range s.Lifecycles.Operations {
		if op.Permanent || id != "" && id != op.ID {
			continue
		}
		opPath = op.Path
		if path != "" && !pattern.MatchesAny(path, op.Path) {
			continue
		}
		if method == "" || method == op.Method || method == "HEAD" && op.Method == "GET" {
			return nil
		}
		methods = append(methods, op.Method)
	}
	switch {
	case methods == nil && id != "":
		problems.Add("/path", "%sthe path of %s is %s", never, id, opPath)
	case methods == nil:
		err := field.Refusal("not_found.operation", "%sno operation that faults affect has such a path", never)
		problems = field.Problems{field.ProblemOf("/path", err)}
	case id != "":
		problems.Add("/method", "%s%s is %s, not %s", never, id, methods[0], method)
	case len(methods) == 1:
		problems.Add("/method", "%sat this path there is only %s", never, methods[0])
	default:
		slices.Sort(methods)
		problems.Add("/method", "%sat this path there are only %s", never, field.And(slices.Compact(methods)))
	}
	return problems
}
