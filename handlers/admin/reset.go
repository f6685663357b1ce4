package admin

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

func (s *Server) reset(x *rest.Exchange) error {
	x.Sandbox.Reset()
	return x.JSON(http.StatusOK, s.summary(x.Sandbox))
}
