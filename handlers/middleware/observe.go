package middleware

import (
	"context"
	"log/slog"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Observe counts each request, measures the time until its response starts, and logs each response
// at level debug.
func Observe(log *slog.Logger, requests *metrics.Requests) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		counts := requests.Operation(measuredName(op), op.Stream)
		return func(x *rest.Exchange) error {
			counts.Begin()
			defer func() { // deferred, because a panic aborts the connection
				began := x.Sent.Began
				if began.IsZero() { // the connection was aborted before the response began
					began = sandbox.Machine()
				}
				counts.End(x.Sent.Status, began.Sub(x.Came))
				if log.Enabled(context.Background(), slog.LevelDebug) {
					logResponse(log, x)
				}
			}()
			return next(x)
		}
	}
}

// measuredName returns the name under which requests for the operation are counted.
func measuredName(op *rest.Operation) string {
	switch {
	case op == rest.Unmatched:
		return "other" // OPTIONS, 404 and 405
	case op.Mount != "":
		return "data" // the service's operations under /admin/data
	case op.ID == "":
		return "page"
	}
	return op.ID
}

// logResponse logs a response. It truncates values that the client supplied.
func logResponse(log *slog.Logger, x *rest.Exchange) {
	sandboxName := "" // of a request without a sandbox
	if x.Sandbox != nil {
		sandboxName = x.Sandbox.Name
	}
	log.Debug("request",
		"id", x.Keys.Redact(x.ID),
		"sandbox", sandboxName,
		"client", x.Client,
		"clientName", field.Abbreviate(x.Caller().ClientName),
		"method", field.Abbreviate(x.R.Method),
		"path", loggedPath(x),
		"operation", x.Operation.ID,
		"status", x.Sent.Status, // 0 if the connection was aborted before the response started
		"bytes", x.Sent.Bytes,
		"durationMs", float64(sandbox.Machine().Sub(x.Came).Microseconds())/1000,
	)
}

// loggedPath returns the request's path with keys redacted. It omits the query, which may contain
// other secrets.
func loggedPath(x *rest.Exchange) string {
	return field.Abbreviate(x.Keys.RedactPath(x.R.URL.EscapedPath()))
}

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
