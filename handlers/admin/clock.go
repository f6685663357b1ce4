package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

func (s *Server) getClock(x *rest.Exchange) error {
	return x.JSON(http.StatusOK, x.Sandbox.Clock.Read())
}

// clockChange is the body of setClock. A missing field changes nothing.
type clockChange struct {
	now, advance *string
	frozen       *bool

	change sandbox.ClockChange // the parsed change
}

var clockFields = field.Fields[clockChange]{
	field.Pointer("now", func(c *clockChange) **string { return &c.now }, field.AnyText),
	field.Pointer("advance", func(c *clockChange) **string { return &c.advance }, field.AnyText),
	field.Pointer("frozen", func(c *clockChange) **bool { return &c.frozen }, field.Boolean),
}

// parse sets c.change from the other fields, and returns the body's problems.
func (c *clockChange) parse() (problems field.Problems) {
	if c.now != nil {
		now, ok := field.ParseDateTime(*c.now)
		if !ok {
			problems.Add("/now", "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339), not %s",
				field.Quote(*c.now))
		}
		c.change.Now = &now
	}
	if c.advance != nil {
		var err error
		if c.change.Advance, err = time.ParseDuration(*c.advance); err != nil {
			problems.Add("/advance", "must be a duration such as 72h, 90m or -1h30m, at most 292 years long, not %s",
				field.Quote(*c.advance))
		}
	}
	c.change.Frozen = c.frozen
	if c.now != nil && c.advance != nil {
		problems.Add("/advance", "cannot be combined with now; send one or the other")
	}
	return problems
}

func (s *Server) setClock(x *rest.Exchange) (rest.Step, error) {
	body, err := rest.Read(x, clockFields, (*clockChange).parse)
	if err == nil && body == (clockChange{}) {
		err = rest.Invalid("/now", "is missing, and so are frozen and advance; "+
			`send a body such as {"now": "2026-01-31T09:30:00Z", "frozen": true} or {"advance": "72h"}`)
	}
	return func(sb *registry.Entry) (rest.Handler, error) {
		shows, err := sb.Clock.Change(body.change)
		switch {
		case err != nil && body.advance != nil:
			return nil, rest.Invalid("/advance", err.Error())
		case err != nil:
			return nil, rest.Invalid("/now", err.Error())
		}
		return rest.WithJSON(http.StatusOK, shows), nil
	}, err
}
