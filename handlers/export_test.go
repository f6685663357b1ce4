package handlers

import "example.com/petstore/handlers/rest"

// Table returns the route table, for the tests that hold it to the documents.
func (s *Server) Table() []rest.Operation { return s.table }

// FindPath returns the template that the router finds for a path, or empty, and the
// values of its parameters.
func (s *Server) FindPath(path string) (template string, params map[string]string) {
	e, params := s.router.find(path)
	if e == nil {
		return "", params
	}
	for _, op := range e.methods {
		template = op.Path
		if op.Mount != "" { // not in the table
			return "", nil
		}
	}
	return template, params
}

// Nearest is the advice that a service of these paths gives for one that is none.
func Nearest(path string, paths ...string) string {
	var table []rest.Operation
	for _, p := range paths {
		table = append(table, rest.Operation{Method: "GET", Path: p})
	}
	return newRouter(table).nearest(path)
}
