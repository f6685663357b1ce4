package middleware

import (
	"log/slog"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// Count counts the calls of each operation of the service. It logs the first call of a deprecated
// operation by each caller. [logs.Bounded] limits the number of log entries for each operation,
// because a client can pretend to be many callers. Count includes every admitted call, even if the
// response is a 404, 410, 429 or an injected fault.
func Count(log *slog.Logger) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op.ID == "" || op.Kind == rest.Admin {
			return next
		}
		log := logs.NewBounded(log)
		return func(x *rest.Exchange) error {
			report := &x.Sandbox.Report
			report.Count(op.Index)
			if !x.Lifecycle.Deprecated {
				return next(x)
			}
			caller := x.Caller()
			if report.Add(op.ID, caller, x.Arrived) {
				log.Warn("deprecated operation used",
					"id", x.Keys.Redact(x.ID), "sandbox", x.Sandbox.Name, "client", x.Client,
					"clientName", field.Abbreviate(caller.ClientName), "caller", field.Abbreviate(caller.UserAgent),
					"warning", warning(op.ID, x.Lifecycle, phaseOf(x)))
			}
			return next(x)
		}
	}
}
