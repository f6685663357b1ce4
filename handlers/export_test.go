package handlers

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Table returns the route table, for the tests that hold it to the documents.
func (s *Server) Table() []rest.Operation { return s.table }

// Sandbox returns the sandbox, for the tests that look at its state or hold its
// writer.
func (s *Server) Sandbox() *sandbox.Sandbox { return s.sandbox }
