package journal

import (
	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// Check returns everything that is wrong with the filter, by which it would choose
// nothing for ever. operation says what is wrong with an operationId; empty: nothing.
func (f *Filter) Check(operation func(id string) (wrong string)) field.Problems {
	var problems field.Problems
	if f.OperationID != "" {
		if wrong := operation(f.OperationID); wrong != "" {
			problems.Add("/operationId", "%s", wrong)
		}
	}
	if f.Path != "" {
		if wrong := pattern.Check(f.Path); wrong != "" {
			problems.Add("/path", "%s, not %s", wrong, field.Quote(f.Path))
		}
	}
	if f.Status != nil && (*f.Status < 0 || *f.Status > 599) {
		problems.Add("/status", "must be from 0 to 599, not %d", *f.Status)
	}
	if f.StatusClass < 0 || f.StatusClass > 5 {
		problems.Add("/statusClass", "must be from 1 to 5, or 0 for any, not %d", f.StatusClass)
	}
	if f.Since < 0 {
		problems.Add("/since", "cannot be negative, but is %d", f.Since)
	}
	return problems
}
