package middleware

import (
	"context"
	"log/slog"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// The names that count requests outside the documents' operations.
const (
	measuredData  = "data" // the service's operations under /admin/data
	measuredPage  = "page"
	measuredOther = "other" // preflights, 404, 405
)

// MeasuredNames returns all names under which requests are counted, given the route table.
func MeasuredNames(table []rest.Operation) []string {
	names := []string{measuredData, measuredPage, measuredOther}
	for i := range table {
		if id := table[i].ID; id != "" {
			names = append(names, id)
		}
	}
	return names
}

// MeasuredCodes returns the error codes that report a bound.
func MeasuredCodes() []string {
	return []string{"payload_too_large", "rate_limited", "sandbox_full", "sandbox_limit_reached", "server_full", "unavailable"}
}

// Observe counts each request and the time until its response begins, and logs each response at
// level debug.
func Observe(log *slog.Logger, requests *metrics.Requests) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		name, stream := measuredName(op), op != nil && op.Stream
		return func(x *rest.Exchange) error {
			requests.Begin(stream)
			defer func() { // deferred, because an aborted connection passes as a panic
				began := x.Sent.Began
				if began.IsZero() { // it was aborted before that
					began = sandbox.Machine()
				}
				requests.End(name, stream, x.Sent.Status, began.Sub(x.Came))
				if log.Enabled(context.Background(), slog.LevelDebug) {
					logResponse(log, x)
				}
			}()
			return next(x)
		}
	}
}

func measuredName(op *rest.Operation) string {
	switch {
	case op == nil:
		return measuredOther
	case op.Mount != "":
		return measuredData
	case op.ID == "":
		return measuredPage
	}
	return op.ID
}

// logResponse truncates client-supplied values.
func logResponse(log *slog.Logger, x *rest.Exchange) {
	log.Debug("request",
		"id", x.ID,
		"sandbox", sandboxName(x),
		"client", x.Client,
		"clientName", field.Abbreviate(rest.CallerOf(x.R).ClientName),
		"method", field.Abbreviate(x.R.Method),
		"path", field.Abbreviate(x.R.URL.EscapedPath()), // without the query, which may contain a key
		"operation", operationID(x),
		"status", x.Sent.Status, // 0 if aborted before a response
		"bytes", x.Sent.Bytes,
		"durationMs", float64(sandbox.Machine().Sub(x.Came).Microseconds())/1000,
	)
}

// sandboxName returns "" if no sandbox was found.
func sandboxName(x *rest.Exchange) string {
	if x.Sandbox == nil {
		return ""
	}
	return x.Sandbox.Name
}

func operationID(x *rest.Exchange) string {
	if x.Operation == nil {
		return ""
	}
	return x.Operation.ID
}
