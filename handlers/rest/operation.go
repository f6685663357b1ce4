package rest

import (
	"net/http"

	"example.com/petstore/handlers/sandbox"
)

// Handler handles one request. If it returns an error, it has written neither status nor body;
// headers that it has set stay.
type Handler func(*Exchange) error

// Link is a part of the chain around an operation. It works before or after next, or responds
// instead of next. Chains are made once, when the server starts: a link that does not concern the
// operation returns next itself. op is nil in the chain of requests without an operation.
type Link func(op *Operation, next Handler) Handler

// Links returns the chain of the links, the first one outermost.
func Links(links ...Link) Link {
	return func(op *Operation, h Handler) Handler {
		for i := len(links) - 1; i >= 0; i-- {
			h = links[i](op, h)
		}
		return h
	}
}

// ForOperations returns the chain of the links, which is empty for requests without an operation.
func ForOperations(links ...Link) Link {
	chain := Links(links...)
	return func(op *Operation, next Handler) Handler {
		if op == nil {
			return next
		}
		return chain(op, next)
	}
}

// Before returns a handler that runs step and then next. An error of step ends the request. step
// must not respond.
func Before(step, next Handler) Handler {
	return func(x *Exchange) error {
		if err := step(x); err != nil {
			return err
		}
		return next(x)
	}
}

// Kind is the part of the API that an operation belongs to. It decides about keys, origins and
// faults.
type Kind int

const (
	// Service is an operation of the pet store. It requires a key if the server has keys.
	Service Kind = iota
	// Private is an operation of the pet store that always requires a key.
	Private
	// Admin is an operation of the control plane. It requires the admin key if there is one,
	// otherwise a known Host, no foreign Origin and no client behind a proxy.
	Admin
	// Health reports whether the server is up. It is open to everyone.
	Health
	// Page is a document or a page for people. It is open to everyone and not an operation of the
	// API, so no OpenAPI document has it.
	Page
)

// Operation is a row of the route table. Registration, the Allow header, lifecycle headers and the
// documents are derived from it.
type Operation struct {
	ID     string // operationId; "" for a page
	Method string // GET, POST, PUT, PATCH or DELETE; GET includes HEAD
	Path   string // gorilla/mux template below the base address, such as /pets/{petId}
	Mount  string // the start of Path before the path of a pet store's operation: [DataPath] or ""
	Tag    string // in the OpenAPI document
	Kind   Kind
	Query  []string // query parameters
	Body   Body     // the request body; for the pet store's operations, see Takes
	Vary   string   // further request headers that can change the response, or ""

	Reach
	Anybody   bool // open to everyone, although an admin operation
	Makes     bool // creates its sandbox even if requests do not, and registers it itself
	Frees     bool // leaves no more behind than before, although its method might; see Keeps
	TakesTurn bool // reads or makes a whole state; few such requests run at a time
	Stream    bool // an event stream, whose key may come as access_token (RFC 6750, section 2.3)

	Index     int               // among the operations whose lifecycle a sandbox can change
	Lifecycle sandbox.Lifecycle // the initial lifecycle, which a sandbox can change
	Handle    Handler
	Serve     Handler // Handle in its chain; the server sets it
}

// Reach says which sandboxes an operation of the control plane concerns.
type Reach struct {
	ServerWide bool // the server, not the sandbox of its request
	OwnKey     bool // the sandbox of its request, whose key opens it like the admin key
	Everywhere bool // can be carried out in every sandbox, under /sandboxes/*
	InTemplate bool // also changes the template, so that later sandboxes start with it
}

// DataPath prefixes the paths of the pet store's operations in the control plane; see
// [Operation.AsData].
const DataPath = "/admin/data"

// AsData returns the operation as a part of the control plane: with its access rules, and without
// faults, counting and the journal. Only writes create its sandbox.
func (o *Operation) AsData() *Operation {
	data := *o
	data.Kind, data.Mount, data.Path, data.Body, data.OwnKey = Admin, DataPath, DataPath+o.Path, o.Takes(), true
	return &data
}

// TakesFaults reports whether faults (injected delays and failures) affect the operation.
func (o *Operation) TakesFaults() bool { return o.Kind == Service || o.Kind == Private }

// Takes returns the operation's request body. In the pet store, every POST, PUT and PATCH has one.
func (o *Operation) Takes() Body {
	if !o.TakesFaults() {
		return o.Body
	}
	switch o.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		return Body{Max: MaxBody}
	}
	return Body{}
}

// Keeps reports whether a request may leave something behind. A server without free memory refuses
// such requests and carries out the others.
func (o *Operation) Keeps() bool {
	return o.Method != http.MethodGet && o.Method != http.MethodDelete && !o.Frees
}

// NeedsSandbox reports whether the operation concerns the sandbox of its request. Other operations
// accept any name.
func (o *Operation) NeedsSandbox() bool {
	return o.TakesFaults() || o.Kind == Admin && !o.ServerWide
}

// UsesSandbox reports whether a request creates a missing sandbox and keeps it from being idle. Of
// the operations that need a sandbox, only reads of the control plane do not.
func (o *Operation) UsesSandbox() bool {
	return o.NeedsSandbox() && (o.Kind != Admin || o.Method != http.MethodGet)
}
