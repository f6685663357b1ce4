package middleware

import (
	"context"
	"log/slog"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Log writes a line for each answer at level debug.
func Log(log *slog.Logger) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !log.Enabled(context.Background(), slog.LevelDebug) {
				return next(x)
			}
			start := sandbox.Machine()
			defer func() { // deferred, since a broken connection passes as a panic
				log.Debug("request",
					"id", x.ID,
					"method", x.R.Method,
					"path", x.R.URL.EscapedPath(), // not the query, which may hold a key
					"operation", operationID(x),
					"status", x.Sent.Status, // 0: broken off before an answer
					"bytes", x.Sent.Bytes,
					"duration", sandbox.Machine().Sub(start).Round(time.Microsecond),
				)
			}()
			return next(x)
		}
	}
}

func operationID(x *rest.Exchange) string {
	if x.Operation == nil {
		return ""
	}
	return x.Operation.ID
}
