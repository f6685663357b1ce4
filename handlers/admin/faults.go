package admin

import (
	"net/http"
	"strconv"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store/field"
)

func (s *Server) listFaults(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Faults.List())
}

func (s *Server) createFault(x *rest.Exchange) (rest.Step, error) {
	allowed := allowedHeaders(x)
	rule, err := rest.Read(x, fault.Fields, func(r *fault.Rule) field.Problems {
		return s.Sandboxes.Default().CheckRule(r, allowed)
	})
	if err != nil {
		return nil, err
	}
	id := s.reserveFaults(x, 1)
	return func(sb *registry.Entry) (rest.Handler, error) {
		added, err := sb.Faults.Add(rule, id)
		if err != nil {
			return nil, err
		}
		x.SetHeader("Location", x.URL("/admin/faults/"+strconv.FormatInt(added.ID, 10)))
		return rest.WithJSON(http.StatusCreated, added), nil
	}, nil
}

// reserveFaults reserves n rule ids that are unused in every sandbox and in the template, and returns
// the first. A rule thus has the same id everywhere, and one request can delete it everywhere. For a
// request for one sandbox, reserveFaults returns 0, and the sandbox chooses the ids.
func (s *Server) reserveFaults(x *rest.Exchange, n int) int64 {
	if !x.Everywhere() {
		return 0
	}
	all := s.Sandboxes.List()
	for {
		first := s.Sandboxes.Template().Faults.LastID() + 1
		for _, sb := range all {
			first = max(first, sb.Faults.LastID()+1)
		}
		free := true
		for _, sb := range all {
			free = sb.Faults.Reserve(first, n) && free
		}
		if free { // no sandbox has taken one of them since LastID returned
			return first
		}
	}
}

func (s *Server) replaceFaults(x *rest.Exchange) (rest.Step, error) {
	allowed := allowedHeaders(x)
	rules, err := rest.ReadArray(x, fault.Fields, fault.MaxRules, func(rules []fault.Rule) (problems field.Problems) {
		for i := range rules {
			problems = append(problems,
				s.Sandboxes.Default().CheckRule(&rules[i], allowed).Under("/"+strconv.Itoa(i))...)
		}
		return problems
	})
	if err != nil {
		return nil, err
	}
	first := s.reserveFaults(x, len(rules))
	return func(sb *registry.Entry) (rest.Handler, error) {
		replaced, err := sb.Faults.Replace(rules, first)
		return rest.WithJSON(http.StatusOK, replaced), err
	}, nil
}

// allowedHeaders returns the check for the response headers that the request's rules may set. It
// returns nil, which allows all headers, unless the request has its sandbox's key.
func allowedHeaders(x *rest.Exchange) fault.Allowed {
	if x.ByOwner {
		return rest.OwnerFaultHeaders
	}
	return nil
}

func (s *Server) deleteFault(x *rest.Exchange) (rest.Step, error) {
	id, err := x.PathID("faultId")
	return func(sb *registry.Entry) (rest.Handler, error) { return noContent, sb.Faults.Delete(id) }, err
}
