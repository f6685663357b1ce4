package admin

import (
	"net/http"
	"strconv"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store/field"
)

var ruleFields = field.Fields[fault.Rule]{
	field.Optional("id", func(r *fault.Rule) *int64 { return &r.ID }, field.AnyInteger, 0),           // given by the sandbox
	field.Optional("applied", func(r *fault.Rule) *int64 { return &r.Applied }, field.AnyInteger, 0), // likewise
	field.Pointer("match", func(r *fault.Rule) **fault.Match { return &r.Match }, field.Nested(matchFields)),
	field.Pointer("probability", func(r *fault.Rule) **float64 { return &r.Probability }, field.Number),
	field.Pointer("times", func(r *fault.Rule) **int { return &r.Times }, field.Int),
	field.Pointer("delay", func(r *fault.Rule) **fault.Delay { return &r.Delay }, field.Nested(delayFields)),
	field.Pointer("status", func(r *fault.Rule) **int { return &r.Status }, field.Int),
	field.Optional("code", func(r *fault.Rule) *string { return &r.Code }, field.AnyText, ""),
	field.Optional("message", func(r *fault.Rule) *string { return &r.Message }, field.AnyText, ""),
	field.Optional("headers", func(r *fault.Rule) *map[string]string { return &r.Headers }, field.Texts, nil),
	field.Optional("abort", func(r *fault.Rule) *fault.Abort { return &r.Abort }, field.AnyText, ""),
	field.Optional("when", func(r *fault.Rule) *fault.When { return &r.When }, field.AnyText, ""),
}

var matchFields = field.Fields[fault.Match]{
	field.Optional("operationId", func(m *fault.Match) *string { return &m.OperationID }, field.AnyText, ""),
	field.Optional("method", func(m *fault.Match) *string { return &m.Method }, field.AnyText, ""),
	field.Optional("path", func(m *fault.Match) *string { return &m.Path }, field.AnyText, ""),
	field.Optional("headers", func(m *fault.Match) *map[string]string { return &m.Headers }, field.Texts, nil),
}

var delayFields = field.Fields[fault.Delay]{
	field.Pointer("fixedMs", func(d *fault.Delay) **int { return &d.FixedMs }, field.Int),
	field.Pointer("jitterMs", func(d *fault.Delay) **int { return &d.JitterMs }, field.Int),
	field.Pointer("p50Ms", func(d *fault.Delay) **int { return &d.P50Ms }, field.Int),
	field.Pointer("p99Ms", func(d *fault.Delay) **int { return &d.P99Ms }, field.Int),
}

func (s *Server) listFaults(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Faults.List())
}

func (s *Server) createFault(x *rest.Exchange) error {
	rule, err := rest.Read(x, ruleFields, x.Sandbox.CheckRule)
	if err != nil {
		return err
	}
	added, err := x.Sandbox.Faults.Add(rule)
	if err != nil {
		return err
	}
	x.W.Header()["Location"] = []string{x.URL("/admin/faults/" + strconv.FormatInt(added.ID, 10))}
	return x.JSON(http.StatusCreated, added)
}

func (s *Server) replaceFaults(x *rest.Exchange) error {
	rules, err := rest.ReadArray(x, ruleFields, func(rules *[]fault.Rule) (problems field.Problems) {
		for i := range *rules {
			problems = append(problems, x.Sandbox.CheckRule(&(*rules)[i]).Under("/"+strconv.Itoa(i))...)
		}
		return problems
	})
	if err != nil {
		return err
	}
	replaced, err := x.Sandbox.Faults.Replace(rules)
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, replaced)
}

func (s *Server) clearFaults(x *rest.Exchange) error {
	x.Sandbox.Faults.Clear()
	return x.NoContent()
}

func (s *Server) deleteFault(x *rest.Exchange) error {
	id, err := x.PathID("faultId")
	if err != nil {
		return err
	}
	if err := x.Sandbox.Faults.Delete(id); err != nil {
		return err
	}
	return x.NoContent()
}
