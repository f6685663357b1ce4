package handlers

import "example.com/petstore/handlers/rest"

// Table returns the route table, for the tests that compare it with the documents.
func (s *Server) Table() []rest.Operation { return s.table }

// FindPath returns the template that the router finds for a path and the values of its parameters.
// The template is empty if no route matches.
func (s *Server) FindPath(path string) (template string, params map[string]string) {
	e, found := s.router.find(path)
	if e == nil {
		return "", nil
	}
	params = make(map[string]string)
	for _, param := range found {
		params[param.Name] = param.Value
	}
	for _, op := range e.methods {
		template = op.Path
		if op.Mount != "" { // not in the table
			return "", nil
		}
	}
	return template, params
}

// Nearest returns the suggestion for an unknown path of a service with the given paths.
func Nearest(path string, paths ...string) string {
	var table []rest.Operation
	for _, p := range paths {
		table = append(table, rest.Operation{Method: "GET", Path: p})
	}
	return newRouter(table).nearest(path)
}
