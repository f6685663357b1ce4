package admin

import (
	"net/http"
	"strconv"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store/field"
)

func (s *Server) listFaults(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Faults.List())
}

func (s *Server) createFault(x *rest.Exchange) error {
	allowed := s.allowedHeaders(x)
	rule, err := rest.Read(x, fault.Fields, func(r *fault.Rule) field.Problems { return x.Sandbox.CheckRule(r, allowed) })
	if err != nil {
		return err
	}
	id, err := rest.Shared(x, "rule", func() (int64, error) { return s.idEverywhere(x), nil })
	if err != nil {
		return err
	}
	added, err := x.Sandbox.Faults.AddAs(rule, id)
	if err != nil {
		return err
	}
	x.SetHeader("Location", x.URL("/admin/faults/"+strconv.FormatInt(added.ID, 10)))
	return x.JSON(http.StatusCreated, added)
}

// idEverywhere returns a rule id that is unused in every sandbox and in the template, so that one
// request can delete the rule everywhere. A request for all sandboxes runs first in the template,
// so x.Sandbox is the template. For a request for one sandbox, idEverywhere returns 0, and the
// sandbox chooses the id.
func (s *Server) idEverywhere(x *rest.Exchange) int64 {
	if !x.Everywhere() {
		return 0
	}
	all := append(s.Sandboxes.List(), x.Sandbox)
	for {
		var id int64 = 1
		for _, sb := range all {
			id = max(id, sb.Faults.LastID()+1)
		}
		free := true
		for _, sb := range all {
			free = sb.Faults.Reserve(id) && free
		}
		if free { // no sandbox has taken the id since LastID returned
			return id
		}
	}
}

func (s *Server) replaceFaults(x *rest.Exchange) error {
	allowed := s.allowedHeaders(x)
	rules, err := rest.ReadArray(x, fault.Fields, fault.MaxRules, func(rules *[]fault.Rule) (problems field.Problems) {
		for i := range *rules {
			problems = append(problems, x.Sandbox.CheckRule(&(*rules)[i], allowed).Under("/"+strconv.Itoa(i))...)
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

// allowedHeaders returns the check for the response headers that the request's rules may set. It
// returns nil, which allows all headers, unless the request has its sandbox's key.
func (s *Server) allowedHeaders(x *rest.Exchange) fault.Allowed {
	switch {
	case !x.ByOwner:
		return nil
	case x.Public() != "" || s.OwnsHost(x.R):
		return rest.OwnerFaultHeaders(x.Base())
	}
	return rest.OwnerFaultHeaders("")
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
