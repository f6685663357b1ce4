package petstoretest

import (
	"fmt"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store/field"
)

// Rule is a fault rule. It specifies which requests it applies to, how often, and with which
// effect. See [Sandbox.Fault]. Every field may be omitted. A rule without a delay, a status or an
// abort has no effect on its requests, except that later rules do not apply to them.
//
//	Rule{
//		Match:  &Match{OperationID: "createOrder", Path: "/store/orders"},
//		Times:  new(2),
//		Delay:  &Delay{FixedMs: new(300)},
//		Status: new(503),
//	}
type Rule struct {
	ID      int64 `json:"id"`      // assigned by the sandbox
	Applied int64 `json:"applied"` // how many times the rule was applied

	Off         bool     `json:"off,omitzero"`         // switched off: not applied until it is switched on
	Match       *Match   `json:"match,omitzero"`       // nil matches every request
	Probability *float64 `json:"probability,omitzero"` // from 0 to 1; nil means 1
	Times       *int     `json:"times,omitzero"`       // how many times the rule may be applied; nil means no limit

	Delay   *Delay            `json:"delay,omitzero"`
	Status  *int              `json:"status,omitzero"` // the status of the response; nil keeps the operation's status
	Code    string            `json:"code,omitzero"`   // the code in the error response; "" means the status's default
	Message string            `json:"message,omitzero"`
	Headers map[string]string `json:"headers,omitzero"` // set in the response
	Abort   Abort             `json:"abort,omitzero"`   // "" does not abort
	When    When              `json:"when,omitzero"`    // "" is Before
}

// Runs reports whether the operation still runs when the rule applies.
func (r *Rule) Runs() bool { return (*fault.Rule)(r).Runs() }

// converted converts rules of this package to rules of package fault, or back.
func converted[To, From fault.Rule | Rule](rules []From) []To {
	list := make([]To, len(rules))
	for i, rule := range rules {
		list[i] = To(rule)
	}
	return list
}

// Fault adds a rule that delays responses, replaces them with errors or aborts connections. Of the
// rules that match a request, only the first that Probability and Times allow applies to it. Fault
// returns the rule with its id. Optional numbers are pointers; for example, write Status: new(503).
//
// Browsers and some HTTP clients, including Go's, automatically repeat a request if a connection
// that was used before is reset (RFC 9110, section 9.2.2, allows this for idempotent methods). A
// single [AbortReset] is then invisible to the caller. With Times set to 2, the repeated request is
// reset too, and the caller gets an error.
func (s *Sandbox) Fault(rule Rule) Rule {
	s.t.Helper()
	s.checkRules(rule)
	added, err := s.live().Faults.Add(fault.Rule(rule), 0)
	s.must(err)
	return Rule(added)
}

// Faults returns the rules in the order in which they are tried. The field Applied of each rule is
// how many times the rule was applied.
func (s *Sandbox) Faults() []Rule {
	s.t.Helper()
	return converted[Rule](s.live().Faults.List())
}

// SetFaults replaces all rules, and returns the new ones with their ids. A rule from
// [Sandbox.Fault] or [Sandbox.Faults] keeps its id. If its Applied is over 0, it also keeps its
// count, or gets Applied as its count if that is larger.
func (s *Sandbox) SetFaults(rules ...Rule) []Rule {
	s.t.Helper()
	s.checkRules(rules...)
	replaced, err := s.live().Faults.Replace(converted[fault.Rule](rules), 0)
	s.must(err)
	return converted[Rule](replaced)
}

// DropFault removes the rule with the id that [Sandbox.Fault] returned.
func (s *Sandbox) DropFault(id int64) {
	s.t.Helper()
	s.must(s.live().Faults.Delete(id))
}

// ClearFaults removes all rules, including those from the server's configuration. Reset restores
// the latter.
func (s *Sandbox) ClearFaults() {
	s.t.Helper()
	s.live().Faults.Clear()
}

// checkRules fails the test if a rule is invalid, and reports all problems.
func (s *Sandbox) checkRules(rules ...Rule) {
	s.t.Helper()
	var problems field.Problems
	for i := range rules {
		found := s.live().CheckRule((*fault.Rule)(&rules[i]), nil)
		if len(rules) > 1 {
			found = found.Under(fmt.Sprint("/", i))
		}
		problems = append(problems, found...)
	}
	s.mustNot("fault rule", problems)
}
