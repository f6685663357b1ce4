package middleware

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// Observe counts each request, measures the time until its response starts, logs each response at
// level debug, and records requests in the journal.
//
// The journal has the requests to the service, and those without an operation (OPTIONS, 404 and
// 405). It omits requests to the control plane and for health, documents and pages, and requests
// with an invalid sandbox name. Observe adds an entry just before it sends the response, so that a
// client that has received the response also finds the entry. If a fault aborts the connection, the
// entry has the status 0. Observe adds no entry if the journal has been reset since the request
// arrived.
func Observe(log *slog.Logger, requests *metrics.Requests) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		counts := requests.Operation(measuredName(op), op.Stream)
		service, unmatched := op.TakesFaults(), op == rest.Unmatched
		return func(x *rest.Exchange) error {
			counts.Begin()
			status := 0 // stays 0 if a panic aborts the connection
			defer func() {
				began := x.Sent.Began
				if began.IsZero() { // the connection was aborted before the response began
					began = sandbox.Machine()
				}
				counts.End(status, began.Sub(x.Came))
				if log.Enabled(context.Background(), slog.LevelDebug) {
					logResponse(log, x)
				}
			}()
			if (service || unmatched && !isAdmin(x)) && x.Sandbox != nil && x.Sandbox.Journal.On() {
				// rest.Writer.Write, or Begin below, calls Before and then sends the status line.
				x.Sent.Before = func(b rest.Beginning) { keep(x, b) }
			}
			err := next(x)
			x.Sent.Begin(nil, 0) // for a response without a body
			status = x.Sent.Status
			return err
		}
	}
}

// keep adds a journal entry for a request whose response is about to be sent or aborted.
func keep(x *rest.Exchange, b rest.Beginning) {
	body, whole := x.BodyStart()
	r := journal.Request{
		Time:        x.Arrived,
		Came:        x.Sandbox.Clock.MachineAt(x.Came),
		ID:          x.ID,
		Draw:        x.Draws.Number,
		OperationID: x.Operation.ID,
		Client:      x.Client,
		Method:      x.R.Method,
		Secure:      x.R.TLS != nil,
		Host:        x.R.Host,
		Path:        x.Path,
		Query:       x.R.URL.RawQuery,
		Protocol:    x.R.Proto,
		Message:     journal.Message{Headers: x.R.Header, Body: body, Size: x.R.ContentLength},
		Status:      b.Status,
		Duration:    sandbox.Machine().Sub(x.Came),
		Fault:       x.Fault,
		Resets:      x.Since.JournalResets,
	}
	r.Before, r.State = x.States()
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

// messageSent returns the headers of the response, and its uncompressed body or the start of it,
// for the journal. It omits a body that is not text.
func messageSent(x *rest.Exchange, b rest.Beginning) journal.Message {
	header := x.Sent.Header()
	mediaType := header.Get("Content-Type")
	isText := strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") ||
		strings.Contains(mediaType, "xml")
	body, size := b.Body, b.Size
	if plain := x.Sent.Plain; plain != nil { // b.Body may be compressed
		body, size = plain.Body, plain.Size
	}
	switch {
	case x.R.Method == http.MethodHead: // the response has no body
		return journal.Message{Headers: header}
	case !isText:
		body = nil
	}
	return journal.Message{Headers: header, Body: body, Size: size}
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
		"clientName", field.Abbreviate(callerOf(x).ClientName),
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
