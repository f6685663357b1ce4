package rest

import (
	"net/http"
	"strconv"

	"example.com/petstore/handlers/sandbox"
)

// Exchange is one request and its answer. It belongs to the goroutine that
// serves the request.
type Exchange struct {
	W    http.ResponseWriter // where the answer goes: Sent, or what a link wraps around it
	R    *http.Request
	Sent Writer

	ID      string           // of the request, for X-Request-Id and the log
	Sandbox *sandbox.Sandbox // nil until one is found
	Prefix  string           // the path prefix by which the client chose the sandbox, or empty
	Path    string           // the request's path behind the prefix

	Operation *Operation // nil where no route or method matches
	Allow     string     // the methods of the path for the Allow header; empty: there is no such path
	Params    map[string]string

	Strict bool // whether unknown fields and parameters are faults

	body []byte // of the request, once it is read
}

// NewExchange returns the exchange of a request.
func NewExchange(w http.ResponseWriter, r *http.Request) *Exchange {
	x := &Exchange{R: r, Path: r.URL.Path, Sent: Writer{ResponseWriter: w}}
	x.W = &x.Sent
	return x
}

// Started reports whether a part of the answer has been sent.
func (x *Exchange) Started() bool { return x.Sent.Status != 0 }

// PathID returns the path parameter of the name as an id: 400 unless it is a
// decimal integer of 64 bits.
func (x *Exchange) PathID(name string) (int64, error) {
	text := x.Params[name]
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != text { // +7 and 007 are other texts
		return 0, BadParameter(Detail{Field: name, Message: quote(text) + " is not an id; an id is a whole number such as 7"})
	}
	return id, nil
}

// URL returns the address of a path of the service as the client would write it,
// with its sandbox prefix.
func (x *Exchange) URL(path string) string { return x.Prefix + path }

// Base returns the address that the request came to, sandbox prefix included,
// without a slash at its end.
func (x *Exchange) Base() string {
	scheme := "http://"
	if x.R.TLS != nil {
		scheme = "https://"
	}
	return scheme + x.R.Host + x.Prefix
}
