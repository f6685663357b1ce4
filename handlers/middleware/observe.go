package middleware

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// Names under which requests without a documented operation are counted.
const (
	measuredData  = "data" // the service's operations under /admin/data
	measuredPage  = "page"
	measuredOther = "other" // OPTIONS, 404 and 405
)

// MeasuredNames returns all names under which [Observe] counts requests. table is the route table.
func MeasuredNames(table []rest.Operation) []string {
	names := []string{measuredData, measuredPage, measuredOther}
	for i := range table {
		if id := table[i].ID; id != "" {
			names = append(names, id)
		}
	}
	return names
}

// MeasuredCodes returns the error codes that the metrics count. Each reports an exceeded limit.
func MeasuredCodes() []string {
	return []string{"payload_too_large", "rate_limited", "sandbox_full", "sandbox_limit_reached", "server_full", "unavailable"}
}

// Observe counts each request, measures the time until its response starts, and logs each response
// at level debug.
func Observe(log *slog.Logger, requests *metrics.Requests) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		name, stream := measuredName(op), op != nil && op.Stream
		return func(x *rest.Exchange) error {
			requests.Begin(stream)
			defer func() { // deferred, because a panic aborts the connection
				began := x.Sent.Began
				if began.IsZero() { // the connection was aborted before the response began
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

// logResponse logs a response. It truncates values that the client supplied.
func logResponse(log *slog.Logger, x *rest.Exchange) {
	log.Debug("request",
		"id", x.Keys.Redact(x.ID),
		"sandbox", sandboxName(x),
		"client", x.Client,
		"clientName", field.Abbreviate(x.Caller().ClientName),
		"method", field.Abbreviate(x.R.Method),
		"path", loggedPath(x),
		"operation", operationID(x),
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

// sandboxName returns the name of the request's sandbox, or "" if it has none.
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

// Journal records each request to the service, and each request without an operation (preflights,
// 404 and 405). It does not record requests to the control plane or for health, documents and
// pages. It adds an entry just before it sends the response, so that a client that has received the
// response also finds the entry. The entry of a request whose connection a fault aborts has the
// status 0. Journal adds no entry if the journal has been reset since the request arrived.
func Journal(op *rest.Operation, next rest.Handler) rest.Handler {
	if op != nil && !op.TakesFaults() {
		return next
	}
	return func(x *rest.Exchange) error {
		if x.Sandbox == nil || !x.Sandbox.Journal.On() || op == nil && isAdmin(x) {
			return next(x)
		}
		came, cameAt := x.Arrived, x.Sandbox.Clock.MachineAt(x.Came)
		x.Sent.Before = func(b rest.Beginning) { keep(x, b, came, cameAt) }
		defer x.Sent.BreakOff(rest.Beginning{}) // adds the entry of a request that got no response
		err := next(x)
		x.Sent.End()
		return err
	}
}

// keep adds a journal entry for a request whose response is about to be sent. came is the time of
// the request's arrival by the sandbox's clock. cameAt is the same time by the machine's clock.
func keep(x *rest.Exchange, b rest.Beginning, came, cameAt time.Time) {
	body, whole := x.BodyStart()
	now := sandbox.Machine()
	if !b.Broken {
		x.Sent.Began = now
	}
	r := journal.Request{
		Time:        came,
		Came:        cameAt,
		ID:          x.ID,
		Draw:        x.Draws.Number(),
		OperationID: operationID(x),
		Client:      x.Client,
		Method:      x.R.Method,
		Secure:      x.R.TLS != nil,
		Host:        x.R.Host,
		Path:        x.Path,
		Query:       x.R.URL.RawQuery,
		Protocol:    x.R.Proto,
		Message:     journal.Message{Headers: x.R.Header, Body: body, Size: x.R.ContentLength},
		Status:      b.Status,
		Duration:    now.Sub(x.Came),
		Fault:       x.Fault,
		State:       x.State(),
		Resets:      x.Since.JournalResets,
	}
	if whole {
		r.Size = int64(len(body))
	}
	if b.Broken {
		r.Status = 0
	}
	if b.Status != 0 {
		r.Response = &journal.Answer{Status: b.Status, Message: messageSent(x, b)}
	}
	x.Sandbox.Journal.Add(&r)
}

// messageSent returns the headers and the uncompressed body of the response for the journal. It
// omits a body that is not text.
func messageSent(x *rest.Exchange, b rest.Beginning) journal.Message {
	header := x.Sent.Header()
	body, size := b.Body, b.Size
	if header["Content-Encoding"] != nil {
		body, size = nil, -1
		if plain := x.Sent.Plain; plain != nil {
			body, size = plain.Body, plain.Size
		}
	}
	switch {
	case x.R.Method == http.MethodHead: // the response has no body
		return journal.Message{Headers: header}
	case !isText(header.Get("Content-Type")):
		body = nil
	}
	return journal.Message{Headers: header, Body: body, Size: size}
}

// isText reports whether content of the media type is readable text.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml")
}
