package admin

import (
	"net/http"
	"strconv"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
)

func (s *Server) listFaults(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Faults.List())
}

func (s *Server) createFault(x *rest.Exchange) error {
	var rule fault.Rule
	if err := x.Decode(&rule, func() []rest.Detail { return problems(x, "", &rule) }); err != nil {
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
	var rules []fault.Rule
	check := func() []rest.Detail {
		var details []rest.Detail
		for i := range rules {
			details = append(details, problems(x, "/"+strconv.Itoa(i), &rules[i])...)
		}
		return details
	}
	if err := x.Decode(&rules, check); err != nil {
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

// problems returns what is wrong with a rule that stands at the place in the body.
func problems(x *rest.Exchange, at string, rule *fault.Rule) []rest.Detail {
	return details(at, x.Sandbox.CheckRule(rule))
}
