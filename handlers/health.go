package handlers

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// Health is the response to GET /healthz.
type Health struct {
	Status  string `json:"status"` // "ok"
	Version string `json:"version"`
}

// Drain makes GET /healthz return 503 from now on, so that load balancers send requests elsewhere.
// All other operations continue to work.
func (s *Server) Drain() { s.draining.Store(true) }

func (s *Server) health(x *rest.Exchange) error {
	if s.draining.Load() {
		return rest.Refuse("unavailable", "the server is about to stop; send requests to another one")
	}
	return x.JSON(http.StatusOK, Health{Status: "ok", Version: s.config.Version})
}
