package world

import (
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// readRules returns a function that reads fault rules and appends them to *to.
func (r *reader) readRules(to *[]fault.Rule) func(v jsontext.Value, in *field.Reading) {
	return func(v jsontext.Value, in *field.Reading) {
		field.Each(fault.Fields, v, in, func(rule *fault.Rule, ok bool) {
			faults := &r.world.Faults
			if len(faults.Rules)+len(faults.Base) == fault.MaxRules { // even a small file can have more rules
				r.err = fault.ErrFull
				return
			}
			r.setRuleID(rule)
			if ok {
				for _, problem := range r.sb.CheckRule(rule, nil) {
					in.Report(problem)
				}
			}
			*to = append(*to, *rule)
		})
	}
}

// setRuleID gives the next id to a rule whose id is below 1, already used or above [fault.MaxCount].
func (r *reader) setRuleID(rule *fault.Rule) {
	next := &r.world.Faults.Next
	if rule.ID < 1 || rule.ID > fault.MaxCount || r.ruleIDs[rule.ID] {
		rule.ID = max(*next, 1)
	}
	r.ruleIDs[rule.ID] = true
	*next = max(*next, rule.ID+1)
}

func (r *reader) readOperations(v jsontext.Value, in *field.Reading) {
	now := r.sb.Clock.Now()
	if r.world.Now != nil {
		now = *r.world.Now
	}
	field.EachField(v, in, func(id string, v jsontext.Value) {
		op, err := r.sb.Lifecycles.Find(id)
		if err != nil {
			in.Report(field.ProblemOf("", err))
			return
		}
		before := len(in.Problems)
		change, ok := field.Nested(lifecycle.Fields)(v, in)
		if !ok || len(in.Problems) > before || in.More {
			return
		}
		l, problems := change.Apply(op, lifecycle.Lifecycle{}, now)
		for _, problem := range problems {
			in.Report(problem)
		}
		r.world.Lifecycles[id] = &l
	})
}
