package journal

import (
	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// CheckCount returns nil if a request can wait for count entries, and otherwise the reason why not.
func (j *Journal) CheckCount(count int64) error {
	switch {
	case !j.On():
		return field.Refusal("journal_size", "needs a journal, and the server keeps none")
	case count > int64(j.limit):
		return field.Refusal("journal_size", "must be at most %d, the size of the journal", j.limit)
	}
	return nil
}

// Check validates the filter. The function operation validates an operationId.
func (f *Filter) Check(operation func(id string) error) field.Problems {
	var problems field.Problems
	if f.OperationID != "" {
		if err := operation(f.OperationID); err != nil {
			problems = append(problems, field.ProblemOf("/operationId", err))
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
