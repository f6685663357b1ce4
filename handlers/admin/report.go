package admin

import (
	"net/http"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// Report lists the uses of deprecated operations. It counts every authorized call, even if the
// response is a 404, 410, 429 or an injected fault.
type Report struct {
	Uses      []DeprecatedUse `json:"uses"`      // ordered by first use
	OtherUses int             `json:"otherUses"` // the number of calls that Uses had no room for
}

// DeprecatedUse is the use of one deprecated operation by one caller.
type DeprecatedUse struct {
	lifecycle.Use
	// Sunset is the current sunset: a date if the time is midnight in UTC, else a date-time.
	Sunset    string `json:"sunset,omitzero"`
	Successor string `json:"successor,omitzero"`
}

// Formats of the report and of the journal.
const (
	formatJSON  = "json"
	formatJUnit = "junit"
	formatHAR   = "har"
)

func (s *Server) getReport(x *rest.Exchange) error {
	query := x.ReadQuery()
	format := rest.Choice(query, "format", formatJSON, formatJUnit)
	if err := query.Err(); err != nil {
		return err
	}
	if format != formatJUnit {
		return x.JSON(http.StatusOK, report(x.Sandbox))
	}
	body, err := x.Sandbox.Report.JUnit(&x.Sandbox.Lifecycles, x.Sandbox.Clock.Now())
	if err != nil {
		return err
	}
	return x.Document("application/xml", body)
}

func report(sb *registry.Entry) Report {
	uses, other := sb.Report.Uses()
	r := Report{Uses: make([]DeprecatedUse, len(uses)), OtherUses: other}
	for i, use := range uses {
		now := sb.Lifecycles.Current(use.Operation)
		r.Uses[i] = DeprecatedUse{use, lifecycle.FormatDay(now.Sunset), now.Successor}
	}
	return r
}
