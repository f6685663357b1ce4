package middleware

import (
	"log/slog"

	"example.com/petstore/handlers/rest"
)

// Count counts the calls of each operation and reports who uses a deprecated one,
// to the log too when a caller does so for the first time. A call counts once it
// is let in, whatever it is answered: a client that is told 404, 410, 429 or an
// injected fault has called all the same.
func Count(log *slog.Logger) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Lifecycle == nil || x.Operation.Kind == rest.Admin {
				return next(x)
			}
			report := &x.Sandbox.Report
			report.Count(x.Operation.Index)
			if !x.Lifecycle.Deprecated {
				return next(x)
			}
			caller := rest.CallerOf(x.R)
			if report.Add(x.Operation.ID, caller, x.Sandbox.Clock.Now()) {
				log.Warn("deprecated operation used",
					"id", x.ID, "sandbox", x.Sandbox.Name, "caller", caller.UserAgent, "client", caller.Client,
					"warning", warning(x.Operation.ID, x.Lifecycle, phaseOf(x, x.Lifecycle)))
			}
			return next(x)
		}
	}
}
