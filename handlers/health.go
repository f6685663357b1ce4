package handlers

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// Health is the answer of GET /healthz.
type Health struct {
	Status  string `json:"status"` // "ok"
	Version string `json:"version"`
}

func (s *Server) health(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, Health{Status: "ok", Version: s.config.Version})
}
