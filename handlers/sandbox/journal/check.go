package journal

import (
	"fmt"

	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// CheckCount explains why a request cannot wait for count entries, or returns "". larger says how
// to get a larger journal, such as "use a larger Config.Journal".
func (j *Journal) CheckCount(count int64, larger string) (wrong string) {
	switch {
	case !j.On():
		return "needs a journal, and the server keeps none; " + larger
	case count > int64(j.most):
		return fmt.Sprintf("must be at most %d, the size of the journal; %s", j.most, larger)
	}
	return ""
}

// Check reports why the filter can never match. operation validates an operationId; it returns ""
// for a valid one.
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
