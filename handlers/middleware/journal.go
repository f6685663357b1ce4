package middleware

import (
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
)

// Journal keeps a record of each request to the service, and of each that no
// operation answers: preflights, 404, 405. The control plane, health, documents
// and pages are not in it. An entry is made just before the client can know of the
// answer, so that whoever has one finds its entry; what broke off in the middle
// unforeseen is told as it began. A journal that was reset meanwhile has none.
func Journal() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Sandbox == nil || !x.Sandbox.Journal.On() || !journalled(x) {
				return next(x)
			}
			came, cameAt := x.Sandbox.Clock.Now(), x.Sandbox.Clock.Machine()
			x.Sent.Before = func(b rest.Beginning) { keep(x, b, came, cameAt) }
			defer x.Sent.BreakOff() // where nothing was answered
			err := next(x)
			x.Sent.End()
			return err
		}
	}
}

// keep makes the entry of a request, which came by the sandbox's clock and by the machine's
// time, and whose answer begins now.
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

// bodySent returns what the journal keeps of the answer's body: text, as it was before it
// was compressed.
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
	case x.R.Method == http.MethodHead: // whose answers have no body
		return journal.Message{}
	case !isText(header.Get("Content-Type")):
		body = nil
	}
	return journal.Message{Body: body, Size: size}
}

// isText reports whether a media type is for people to read.
func isText(mediaType string) bool {
	return strings.HasPrefix(mediaType, "text/") || strings.Contains(mediaType, "json") || strings.Contains(mediaType, "xml")
}

func journalled(x *rest.Exchange) bool {
	if x.Operation == nil {
		return !isAdmin(x)
	}
	return x.Operation.TakesFaults()
}
