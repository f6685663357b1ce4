package handlers

import "example.com/petstore/handlers/rest"

// Table returns the route table, for the tests that hold it to the documents.
func (s *Server) Table() []rest.Operation { return s.table }
