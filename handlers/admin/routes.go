package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
)

// Server is what the control plane knows of the server.
type Server struct {
	Version string
	Seed    *uint64 // of the fake data; nil: the data came from a file
	Started time.Time
}

// Operations returns the control plane's rows of the route table.
func (s *Server) Operations() []rest.Operation {
	return []rest.Operation{
		{ID: "getAdmin", Method: http.MethodGet, Path: "/admin", Tag: "Admin", Kind: rest.Admin, Handle: s.get},
		{ID: "resetSandbox", Method: http.MethodPost, Path: "/admin/reset", Tag: "Admin", Kind: rest.Admin, Handle: s.reset},
	}
}
