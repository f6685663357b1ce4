package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// Summary is what the server and the sandbox of the request are.
type Summary struct {
	Version       string       `json:"version"`
	UptimeSeconds float64      `json:"uptimeSeconds"`
	Sandbox       string       `json:"sandbox"`
	Seed          *uint64      `json:"seed"` // null: the data came from a file
	Counts        store.Counts `json:"counts"`
	Clock         Clock        `json:"clock"`
}

// Clock is the time as the sandbox sees it.
type Clock struct {
	Now time.Time `json:"now"`
}

func (s *Server) get(x *rest.Exchange) error { return x.JSON(http.StatusOK, s.summary(x.Sandbox)) }

func (s *Server) summary(sb *sandbox.Sandbox) Summary {
	return Summary{
		Version:       s.Version,
		UptimeSeconds: sandbox.Machine().Sub(s.Started).Seconds(),
		Sandbox:       sb.Name,
		Seed:          s.Seed,
		Counts:        sb.Store.View().Counts(),
		Clock:         Clock{Now: sb.Clock.Now()},
	}
}
