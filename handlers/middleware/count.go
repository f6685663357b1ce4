package middleware

import (
	"log/slog"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// Count counts calls by operation and reports use of deprecated operations. It logs the first call
// of each caller, at most as often per operation as [logs.Bounded] allows, because a client can
// pretend to be many callers. Every admitted call counts, even if its response is 404, 410, 429 or
// an injected fault.
func Count(log *slog.Logger) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op.ID == "" || op.Kind == rest.Admin {
			return next
		}
		log := slog.New(logs.Bounded(log.Handler()))
		return func(x *rest.Exchange) error {
			report := &x.Sandbox.Report
			report.Count(op.Index)
			if !x.Lifecycle.Deprecated {
				return next(x)
			}
			caller := rest.CallerOf(x.R)
			if report.Add(op.ID, caller, x.Sandbox.Clock.Now()) {
				log.Warn("deprecated operation used",
					"id", x.ID, "sandbox", x.Sandbox.Name, "client", x.Client,
					"clientName", field.Abbreviate(caller.ClientName), "caller", field.Abbreviate(caller.UserAgent),
					"warning", warning(op.ID, x.Lifecycle, phaseOf(x, x.Lifecycle)))
			}
			return next(x)
		}
	}
}
