package middleware

import (
	"log/slog"
	"sync"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// Count counts the calls of each operation and reports who uses a deprecated one,
// to the log too when a caller does so for the first time: of each operation so many
// lines as [logs.Bounded] lets pass, since anybody can be any number of callers. A call counts once it
// is let in, whatever it is answered: a client that is told 404, 410, 429 or an
// injected fault has called all the same.
func Count(log *slog.Logger) rest.Link {
	var bounded sync.Map // id of an operation to its *slog.Logger
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
				own, ok := bounded.Load(x.Operation.ID)
				if !ok {
					own, _ = bounded.LoadOrStore(x.Operation.ID, slog.New(logs.Bounded(log.Handler())))
				}
				own.(*slog.Logger).Warn("deprecated operation used",
					"id", x.ID, "sandbox", x.Sandbox.Name, "client", x.Client, "clientName", field.Abbreviate(caller.ClientName), "caller", field.Abbreviate(caller.UserAgent),
					"warning", warning(x.Operation.ID, x.Lifecycle, phaseOf(x, x.Lifecycle)))
			}
			return next(x)
		}
	}
}
