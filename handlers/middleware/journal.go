package middleware

import (
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
)

// Journal records each request to the service, and each request without an operation: preflights,
// 404, 405. It does not record the control plane, health, documents and pages. It adds the entry
// just before the client can see the response, so every client finds the entry of a response that
// it has. An aborted response is recorded with the status that it started with. If the journal was
// reset in the meantime, there is no entry.
func Journal(op *rest.Operation, next rest.Handler) rest.Handler {
	if op != nil && !op.TakesFaults() {
		return next
	}
	return func(x *rest.Exchange) error {
		if x.Sandbox == nil || !x.Sandbox.Journal.On() || op == nil && isAdmin(x) {
			return next(x)
		}
		came, cameAt := x.Sandbox.Clock.Now(), x.Sandbox.Clock.Machine()
		x.Sent.Before = func(b rest.Beginning) { keep(x, b, came, cameAt) }
		defer x.Sent.BreakOff() // for requests without a response
		err := next(x)
		x.Sent.End()
		return err
	}
}

// keep adds the entry of a request whose response begins now. came is its arrival by the sandbox's
// clock, cameAt by the machine's.
func keep(x *rest.Exchange, b rest.Beginning, came, cameAt time.Time) {
	body, whole := x.BodyStart()
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
		Duration:    sandbox.Machine().Sub(x.Came),
		Fault:       x.Fault,
		Resets:      x.JournalResets,
	}
	if whole {
		r.Size = int64(len(body))
	}
	if b.Broken {
		r.Status = 0
	}
	var sent journal.Answer
	if b.Status != 0 {
		sent = journal.Answer{Status: b.Status, Message: bodySent(x, b)}
		sent.Headers = x.Sent.Header()
		r.Response = &sent
	}
	x.Sandbox.Journal.Add(&r)
}

// bodySent returns the response body for the journal: text, uncompressed.
func bodySent(x *rest.Exchange, b rest.Beginning) journal.Message {
	header := x.Sent.Header()
	body, size := b.Body, b.Size
	if header["Content-Encoding"] != nil {
		body, size = nil, -1
		if x.Plain != nil {
			body, size = x.Plain.Body, x.Plain.Size
		}
	}
	switch {
	case x.R.Method == http.MethodHead: // responses without a body
		return journal.Message{}
	case !isText(header.Get("Content-Type")):
		body = nil
	}
	return journal.Message{Body: body, Size: size}
}

// isText reports whether a media type is readable text.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml")
}
