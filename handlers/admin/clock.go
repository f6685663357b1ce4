package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

func (s *Server) getClock(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Clock.Read())
}

// clockChange is the body of setClock. What is left out stays as it is.
type clockChange struct {
	Now     *string `json:"now"`
	Advance *string `json:"advance"`
	Frozen  *bool   `json:"frozen"`

	change sandbox.ClockChange // what it comes to
}

// read reads the texts of the body and returns what is wrong with it.
func (c *clockChange) read() (faults []rest.Detail) {
	fault := func(field, message string) {
		faults = append(faults, rest.Detail{Field: field, Message: message})
	}
	if c.Now != nil {
		now, ok := field.ParseDateTime(*c.Now)
		if !ok {
			fault("/now", "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339), not "+field.Quote(*c.Now))
		}
		c.change.Now = &now
	}
	if c.Advance != nil {
		var err error
		if c.change.Advance, err = time.ParseDuration(*c.Advance); err != nil {
			fault("/advance", "must be a duration such as 72h, 90m or -1h30m, at most 292 years long, not "+field.Quote(*c.Advance))
		}
	}
	c.change.Frozen = c.Frozen
	switch {
	case c.Now != nil && c.Advance != nil:
		fault("/advance", "cannot stand beside now; send the one or the other")
	case c.Now == nil && c.Advance == nil && c.Frozen == nil:
		fault("/now", `is missing, and so are frozen and advance; send a body such as {"now": "2026-01-31T09:30:00Z", "frozen": true} or {"advance": "72h"}`)
	}
	return faults
}

func (s *Server) setClock(x *rest.Exchange) error {
	var body clockChange
	if err := x.Decode(&body, body.read); err != nil {
		return err
	}
	shows, err := x.Sandbox.Clock.Change(body.change)
	switch {
	case err != nil && body.Advance != nil:
		return rest.Invalid("/advance", err.Error())
	case err != nil:
		return rest.Invalid("/now", err.Error())
	}
	return x.JSON(http.StatusOK, shows)
}

func (s *Server) releaseClock(x *rest.Exchange) error {
	x.Sandbox.Clock.Reset()
	return x.NoContent()
}
