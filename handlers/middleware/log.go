package middleware

import (
	"context"
	"log/slog"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Log logs each response at level debug. Client-supplied values are truncated.
func Log(log *slog.Logger) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !log.Enabled(context.Background(), slog.LevelDebug) {
				return next(x)
			}
			defer func() { // deferred, because an aborted connection passes as a panic
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
			}()
			return next(x)
		}
	}
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
