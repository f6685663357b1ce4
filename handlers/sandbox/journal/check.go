package journal

import (
	"fmt"

	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// CheckCount says why nobody can wait for as many entries; empty: they can come. larger is what
// to do for a larger journal, such as "use a larger Config.Journal".
func (j *Journal) CheckCount(count int64, larger string) (wrong string) {
	switch {
	case !j.On():
		return "needs a journal, and the server keeps none; " + larger
	case count > int64(j.most):
		return fmt.Sprintf("must be at most %d, the size of the journal; %s", j.most, larger)
	}
	return ""
}

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
