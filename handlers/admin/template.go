package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store/field"
)

// Template describes the template of new sandboxes.
type Template struct {
	From    *string   `json:"from"`    // the name of the copied sandbox, or null for the initial template
	TakenAt time.Time `json:"takenAt"` // when the template last changed, by the machine's clock
	Contents
	Rules      []fault.Rule      `json:"rules"`      // all rules
	Operations int               `json:"operations"` // the number of operations with a changed lifecycle
	Lifecycles []OperationStatus `json:"lifecycles"` // the operations with a changed lifecycle
}

func templateView(t *sandbox.Sandbox) Template {
	view := Template{
		TakenAt:    t.Created,
		Contents:   contentsOf(t),
		Rules:      t.Faults.List(),
		Operations: t.Lifecycles.Changes(),
		Lifecycles: []OperationStatus{},
	}
	for _, op := range t.Lifecycles.Operations {
		if t.Lifecycles.Changed(op.ID) != nil {
			view.Lifecycles = append(view.Lifecycles, status(t, &op))
		}
	}
	if t.Name != "" {
		view.From = &t.Name
	}
	return view
}

func (s *Server) getTemplate(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, templateView(s.Sandboxes.Template()))
}

var templateFields = field.Fields[string]{
	field.Required("from", func(from *string) *string { return from }, field.AnyText),
}

// setTemplate replaces the template with a copy of a sandbox. If the sandbox's name is invalid, the
// response is a 400. If there is no such sandbox, it is a 404.
func (s *Server) setTemplate(x *rest.Exchange) error {
	from, err := rest.Read(x, templateFields, func(from *string) (problems field.Problems) {
		if _, err := sandbox.ParseName(*from); err != nil {
			problems.Add("/from", "%s", rest.BadSandboxName(*from))
		}
		return problems
	})
	if err != nil {
		return err
	}
	template, err := s.Sandboxes.TakeTemplate(from)
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, templateView(template))
}

func (s *Server) dropTemplate(x *rest.Exchange) error {
	s.Sandboxes.DropTemplate()
	return x.NoContent()
}
