package rest

import (
	"net/http"

	"example.com/petstore/handlers/sandbox"
)

// Handler handles one request. A handler that returns an error has written neither a status nor a
// body. Headers that it has set are kept.
type Handler func(*Exchange) error

// Link wraps the handler of an operation. The handler that it returns acts before or after next, or
// responds instead of next. Links are called once, when the server starts. A link that does not
// concern the operation returns next unchanged. op is nil for requests without an operation.
type Link func(op *Operation, next Handler) Handler

// Links combines links into one. The first link is the outermost.
func Links(links ...Link) Link {
	return func(op *Operation, h Handler) Handler {
		for i := len(links) - 1; i >= 0; i-- {
			h = links[i](op, h)
		}
		return h
	}
}

// ForOperations is like [Links], but its link does nothing for requests without an operation.
func ForOperations(links ...Link) Link {
	chain := Links(links...)
	return func(op *Operation, next Handler) Handler {
		if op == nil {
			return next
		}
		return chain(op, next)
	}
}

// Before returns a handler that calls step and then next. If step returns an error, next is not
// called. step must not respond.
func Before(step, next Handler) Handler {
	return func(x *Exchange) error {
		if err := step(x); err != nil {
			return err
		}
		return next(x)
	}
}

// Kind is the part of the API that an operation belongs to. It determines which keys, origins and
// faults apply.
type Kind int

const (
	// Service operations belong to the pet store. They require a key if the server has keys.
	Service Kind = iota
	// Private operations belong to the pet store. They always require a key.
	Private
	// Admin operations belong to the control plane. They require the admin key if there is one.
	// Otherwise they require a known Host, no foreign Origin, and no proxy in between.
	Admin
	// Health operations report whether the server is up. They are open to everyone.
	Health
	// Page operations serve documents and web pages. They are open to everyone and not part of the
	// API, so no OpenAPI document lists them.
	Page
)

// Operation is a row of the route table. Registration, the Allow header, lifecycle headers and the
// documents are derived from it.
type Operation struct {
	ID     string // operationId; "" for a page
	Method string // GET, POST, PUT, PATCH or DELETE; GET includes HEAD
	Path   string // gorilla/mux template below the base address, such as /pets/{petId}
	Mount  string // the part of Path before a pet store operation's own path: [DataPath] or ""
	Tag    string // its tag in the OpenAPI document
	Kind   Kind
	Query  []string // names of the query parameters
	Body   Body     // the request body; for pet store operations, see Takes
	Vary   string   // additional request headers that can change the response, or ""

	Reach
	Anybody   bool // open to everyone, although an admin operation
	Makes     bool // creates and registers its sandbox itself, even with --explicit-sandboxes
	Frees     bool // uses no more memory afterwards, although its method might; see Keeps
	TakesTurn bool // reads or generates a whole state; only a few such requests run at a time
	Stream    bool // an event stream, which accepts its key as access_token (RFC 6750, section 2.3)

	Index     int               // its index among the operations whose lifecycle a sandbox can change
	Lifecycle sandbox.Lifecycle // the initial lifecycle, which a sandbox can change
	Handle    Handler
	Serve     Handler // Handle wrapped in its chain; set by the server
}

// Reach describes which sandboxes an operation of the control plane concerns.
type Reach struct {
	ServerWide bool // concerns the server, not the request's sandbox
	OwnKey     bool // accepts the key of the request's sandbox, like the admin key
	Everywhere bool // can run in all sandboxes at once, under /sandboxes/*
	InTemplate bool // under /sandboxes/*, changes the template too, and so the sandboxes created later
}

// DataPath is the path prefix of the pet store's operations in the control plane; see
// [Operation.AsData].
const DataPath = "/admin/data"

// AsData returns the operation as one of the control plane: it has the control plane's access
// rules, and no faults, counting or journal apply. Only writes create a missing sandbox.
func (o *Operation) AsData() *Operation {
	data := *o
	data.Kind, data.Mount, data.Path, data.Body, data.OwnKey = Admin, DataPath, DataPath+o.Path, o.Takes(), true
	return &data
}

// TakesFaults reports whether faults (injected delays and failures) can affect the operation.
func (o *Operation) TakesFaults() bool { return o.Kind == Service || o.Kind == Private }

// Takes describes the operation's request body. In the pet store, every POST, PUT and PATCH has
// one.
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

// Keeps reports whether a request may leave more memory in use than before. A server without free
// memory refuses such requests and carries out the others.
func (o *Operation) Keeps() bool {
	return o.Method != http.MethodGet && o.Method != http.MethodDelete && !o.Frees
}

// NeedsSandbox reports whether the operation concerns the request's sandbox. Other operations
// accept any sandbox name.
func (o *Operation) NeedsSandbox() bool {
	return o.TakesFaults() || o.Kind == Admin && !o.ServerWide
}

// UsesSandbox reports whether a request creates its sandbox if missing and counts as activity in
// it. This is true of every operation that needs a sandbox, except reads of the control plane.
func (o *Operation) UsesSandbox() bool {
	return o.NeedsSandbox() && (o.Kind != Admin || o.Method != http.MethodGet)
}
