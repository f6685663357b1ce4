package middleware

import (
	"log/slog"
	"sync"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// Count counts calls by operation and reports use of deprecated operations. It logs the first call
// of each caller, at most as often per operation as [logs.Bounded] allows, because a client can
// pretend to be many callers. Every admitted call counts, even if its response is 404, 410, 429 or
// an injected fault.
func Count(log *slog.Logger) rest.Handler {
	var bounded sync.Map // maps an operation's id to its *slog.Logger
	return func(x *rest.Exchange) error {
		if x.Lifecycle == nil || x.Operation.Kind == rest.Admin {
			return nil
		}
		report := &x.Sandbox.Report
		report.Count(x.Operation.Index)
		if !x.Lifecycle.Deprecated {
			return nil
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
		return nil
	}
}
