package sandbox

import "fmt"

// CheckFilter returns everything that is wrong with a filter of the sandbox's
// journal, by which it would choose nothing for ever.
func (s *Sandbox) CheckFilter(f *Filter) []Flaw {
	var flaws flawList
	if f.OperationID != "" {
		if _, ok := s.Lifecycles.Find(f.OperationID); !ok {
			flaws.add("/operationId", "%s", noOperation(f.OperationID))
		}
	}
	if f.Path != "" {
		if wrong := CheckPattern(f.Path); wrong != "" {
			flaws.add("/path", "%s, not %q", wrong, f.Path)
		}
	}
	if f.Status != nil && (*f.Status < 0 || *f.Status > 599) {
		flaws.add("/status", "must be from 0 to 599, not %d", *f.Status)
	}
	if f.Since < 0 {
		flaws.add("/since", "cannot be negative, but is %d", f.Since)
	}
	return flaws
}

func noOperation(id string) string {
	return fmt.Sprintf("there is no operation %q; /openapi.json lists those there are", id)
}
