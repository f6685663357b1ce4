package middleware

import (
	"net/http"
	"strings"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
)

// Journal records each request to the service, and each request without an operation (preflights,
// 404 and 405). It does not record requests to the control plane or for health, documents and
// pages. It adds an entry just before it sends the response, so that a client that has received the
// response also finds the entry. The entry of a request whose connection a fault aborts has the
// status 0. Journal adds no entry if the journal has been reset since the request arrived.
func Journal(op *rest.Operation, next rest.Handler) rest.Handler {
	if op != rest.Unmatched && !op.TakesFaults() {
		return next
	}
	return func(x *rest.Exchange) error {
		if x.Sandbox == nil || !x.Sandbox.Journal.On() || op == rest.Unmatched && isAdmin(x) {
			return next(x)
		}
		// rest.Writer.Write, or Begin below, calls Before and then sends the status line.
		x.Sent.Before = func(b rest.Beginning) { keep(x, b) }
		err := next(x)
		x.Sent.Begin(nil, 0) // for a response without a body
		return err
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

// messageSent returns the headers and the uncompressed body of the response for the journal. It
// omits a body that is not text.
func messageSent(x *rest.Exchange, b rest.Beginning) journal.Message {
	header := x.Sent.Header()
	body, size := b.Body, b.Size
	if plain := x.Sent.Plain; plain != nil { // b.Body may be compressed
		body, size = plain.Body, plain.Size
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
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") ||
		strings.Contains(mediaType, "xml")
}
