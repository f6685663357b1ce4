package sandbox

import (
	"fmt"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// CheckRule returns everything that is wrong with a fault rule of the sandbox.
func (s *Sandbox) CheckRule(r *fault.Rule) field.Problems {
	return r.Check(func(id string) string {
		if op, ok := s.Lifecycles.Find(id); ok && op.Permanent {
			return id + " is never affected by faults; choose another operation"
		}
		return s.noOperation(id)
	}, s.options.FaultHeaders)
}

// CheckFilter returns everything that is wrong with a filter of the sandbox's journal.
func (s *Sandbox) CheckFilter(f *journal.Filter) field.Problems { return f.Check(s.noOperation) }

// noOperation says what is wrong with an operationId; empty: nothing.
func (s *Sandbox) noOperation(id string) string {
	if _, ok := s.Lifecycles.Find(id); ok {
		return ""
	}
	return fmt.Sprintf("there is no operation %s; see /openapi.json", field.Quote(id))
}
