package petstoretest

import (
	"fmt"

	"example.com/petstore/store/field"
)

// Fault appends a rule that makes requests slow, wrong or aborted. The first rule that matches a
// request is applied to it. Fault returns the rule with its id. Numbers of a rule are written
// new(503).
//
// Browsers and some HTTP clients, Go's among them, automatically repeat a request if a connection
// that was used before is reset (RFC 9110, section 9.2.2, allows it for idempotent methods). One
// [AbortReset] is then invisible to the caller; with Times of 2 it sees one.
func (s *Sandbox) Fault(rule Rule) Rule {
	s.t.Helper()
	s.checkRules(rule)
	added, err := s.live().Faults.Add(rule)
	s.must(err)
	return added
}

// Faults returns the rules in the order in which they are tried, each with the number of requests
// that it was applied to.
func (s *Sandbox) Faults() []Rule {
	s.t.Helper()
	return s.live().Faults.List()
}

// SetFaults replaces all rules with these, and returns them with their ids. A rule from
// [Sandbox.Fault] or [Sandbox.Faults] keeps its id.
func (s *Sandbox) SetFaults(rules ...Rule) []Rule {
	s.t.Helper()
	s.checkRules(rules...)
	replaced, err := s.live().Faults.Replace(rules)
	s.must(err)
	return replaced
}

// DropFault removes the rule with the id, which [Sandbox.Fault] returns.
func (s *Sandbox) DropFault(id int64) {
	s.t.Helper()
	s.must(s.live().Faults.Delete(id))
}

// ClearFaults removes all rules, including those of the server's configuration, which
// Reset restores.
func (s *Sandbox) ClearFaults() {
	s.t.Helper()
	s.live().Faults.Clear()
}

// checkRules ends the test with all problems of the rules, if any.
func (s *Sandbox) checkRules(rules ...Rule) {
	s.t.Helper()
	var problems field.Problems
	for i := range rules {
		found := s.live().CheckRule(&rules[i], operationList, nil)
		if len(rules) > 1 {
			found = found.Under(fmt.Sprint("/", i))
		}
		problems = append(problems, found...)
	}
	s.mustNot("fault rule", problems)
}
