package rest

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Server is what the requests of a server share.
type Server struct {
	Address  *PublicURL     // nil if users reach the server directly
	Memory   *memory.Budget // nil means no limit
	Standing *Standing
	Keys     journal.Keys // which the log must not contain

	Documents bool // there are documents and pages
}

// Route is what the path of a request names: its sandbox and its operation.
type Route struct {
	Prefix string // the path prefix that chose the sandbox, escaped, or ""
	named  string // the sandbox that Prefix names
	Path   string // the path after the prefix, decoded except for %2F and %25

	Operation *Operation // nil if no route or method matches
	Allow     string     // the path's methods for the Allow header; "" if there is no such path
	Params    map[string]string
}

// Visit is the stay of a request in its sandbox.
type Visit struct {
	Sandbox *registry.Entry // nil if the request cannot have one; SandboxName returns the reason
	Since   registry.Mark   // when the request arrived in the sandbox

	state  int64 // the number of the state that the request has read or left, or 0
	waited bool  // the request has waited, so its sandbox may have been reset
}

// Exchange is a request and its response. It belongs to the goroutine that serves the request.
type Exchange struct {
	*Server
	Route // the router sets the operation

	W    http.ResponseWriter // Sent, or the wrapper of a link
	R    *http.Request
	Sent Writer
	Came time.Time // when the server began to handle the request, by the machine's clock

	// Each of these is set by one link of package middleware, which the comment names.

	ID        string             // Headers: for X-Request-Id and the log
	Client    string             // Proxies: the client's address
	Visit                        // Door
	Lifecycle *sandbox.Lifecycle // Lifecycle: in the sandbox; nil for pages and unmatched paths
	ByOwner   bool               // Authenticate: the request bears its sandbox's key, and that key opens the operation
	Draws     fault.Draws        // Disturb: of a request that faults can affect; drawing advances them
	Fault     int64              // Disturb: the id of the applied fault rule, or 0
	Strict    bool               // Strict: refuse unknown fields and parameters

	body     reading
	reserved reservation
	headers  headerValues
	shared   map[any]any // the results of [Shared]
}

// NewExchange returns the exchange of a request to a server.
func NewExchange(server *Server, w http.ResponseWriter, r *http.Request) *Exchange {
	x := &Exchange{Server: server, R: r, Sent: Writer{ResponseWriter: w}, Came: sandbox.Machine()}
	x.W = &x.Sent
	x.boundBody(x.Came)
	x.Prefix, x.named, x.Path = readPath(r.URL, server.Address)
	return x
}

// TakeSandbox sets the request's sandbox. A sandbox that replaces another must have the owner that
// the other one had when the request arrived; see [Exchange.CheckOwner].
func (x *Exchange) TakeSandbox(sb *registry.Entry) {
	since := sb.Mark()
	if x.Sandbox != nil {
		since.Owner = x.Since.Owner
	}
	x.Sandbox, x.Since = sb, since
}

// Arrival returns when the request arrived by the sandbox's clock, or by the machine's if it has no
// sandbox.
func (x *Exchange) Arrival() time.Time {
	if x.Sandbox == nil {
		return x.Came
	}
	return x.Sandbox.Clock.At(x.Came)
}

// Started reports whether any part of the response has been sent.
func (x *Exchange) Started() bool { return x.Sent.Status != 0 }

// PathID returns the named path parameter as an id, or a 400 unless it is a 64-bit integer.
func (x *Exchange) PathID(name string) (int64, error) {
	text := x.Params[name]
	id, wrong := field.ParseInteger(text)
	if wrong != "" {
		return 0, BadParameter(field.Problem{Field: name, Message: wrong + ", not " + field.Quote(text)})
	}
	return id, nil
}

// Everywhere reports whether the request is for all sandboxes, which only the prefix /sandboxes/*
// can express.
func (x *Exchange) Everywhere() bool {
	return x.Prefix != "" && x.named == "*" && x.R.Header["X-Sandbox"] == nil
}

// NotEverywhere returns the response to a request for all sandboxes whose operation works only in
// one.
func NotEverywhere() *Error {
	return BadParameter(field.Problem{
		Field: "sandbox", Message: `"*" stands for all sandboxes only where the admin API changes them: reset, undo, snapshots, clock, operations, faults, PUT /admin/state and DELETE /admin/requests, and in GET /admin/events; name one`,
	})
}

// In carries out the request in a sandbox as if it addressed that one. It reserves the memory that
// one more sandbox may need, or returns a [memory.Full].
func (x *Exchange) In(sb *registry.Entry, do Handler) error {
	if op := x.Operation; op.Keeps() {
		n := int64(memory.Write)
		if !op.Takes().Import { // an import's sandboxes share the result of reading the body
			n += int64(len(x.body.whole)) * memory.WritePerByte
		}
		if err := x.Memory.Reserve(n); err != nil {
			return err
		}
		defer x.Memory.Release(n)
	}
	x.TakeSandbox(sb)
	defer func() { x.Sandbox = nil }()
	return do(x)
}

// Shared returns the result of make. A request for many sandboxes calls make once for each key; the
// sandboxes share the result, which must never change.
func Shared[K comparable, T any](x *Exchange, key K, make func() (T, error)) (T, error) {
	type made struct {
		value T
		err   error
	}
	if known, ok := x.shared[key].(made); ok {
		return known.value, known.err
	}
	value, err := make()
	if x.Everywhere() {
		if x.shared == nil {
			x.shared = map[any]any{}
		}
		x.shared[key] = made{value, err}
	}
	return value, err
}
