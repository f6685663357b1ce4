package rest

import (
	"net/http"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// Handler handles one request. An error that it returns becomes the response, with the headers that
// the handler has set. If the response has already started, the error aborts it instead.
type Handler func(*Exchange) error

// Link wraps the handler of an operation. The returned handler acts before or after next, or
// responds without calling next. When the server starts, each link is called for every operation. A
// link outside [ForOperations] is also called once for [Unmatched]. A link that does not concern the
// operation returns next unchanged.
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

// ForOperations is like [Links], but the combined link returns next unchanged for [Unmatched].
func ForOperations(links ...Link) Link {
	chain := Links(links...)
	return func(op *Operation, next Handler) Handler {
		if op == Unmatched {
			return next
		}
		return chain(op, next)
	}
}

// Change reads a request that can be for one sandbox or for all of them. It returns the step to
// carry out in each of these sandboxes. If the request is for all sandboxes, an error counts as the
// error of each sandbox.
type Change func(*Exchange) (Step, error)

// Step changes one sandbox. answer writes the response if the request is for a single sandbox.
type Step func(sb *registry.Entry) (answer Handler, err error)

// Handle handles a request for a single sandbox.
func (c Change) Handle(x *Exchange) error {
	step, err := c(x)
	if err != nil {
		return err
	}
	answer, err := step(x.Sandbox)
	if err != nil {
		return err
	}
	return answer(x)
}

// Kind is the part of the API that an operation belongs to. The kind determines which keys, origins
// and faults apply.
type Kind int

const (
	// Service operations belong to the pet store. They require a key if the server has API keys or
	// the sandbox is private.
	Service Kind = iota
	// Private operations belong to the pet store. They always require a key.
	Private
	// Admin operations belong to the control plane. If the server has an admin key, they require
	// it, unless [Operation.Anybody] or [Reach.OwnKey] applies. Without an admin key, package
	// middleware protects them from foreign hosts, pages and proxies.
	Admin
	// Health operations report whether the server is up. They are open to everyone.
	Health
	// Page operations serve documents and web pages. They require no key. They are not part of the
	// API, so no OpenAPI document lists them.
	Page
	// None is the kind of [Unmatched].
	None
)

// Operation is a row of the route table. The server derives the registered routes, the Allow
// header, the lifecycle headers and the documents' lifecycles from these rows.
type Operation struct {
	ID     string // operationId; "" for a page
	Method string // GET, POST, PUT, PATCH or DELETE; GET includes HEAD
	Path   string // gorilla/mux template below the base address, such as /pets/{petId}
	Mount  string // the part of Path before the pet store's own path: [DataPath] or ""
	Tag    string // the tag in the OpenAPI document
	Kind   Kind
	Query  []string // names of the query parameters
	Body   Body     // the request body
	Vary   string   // additional request headers that can change the response, or ""

	Reach
	Anybody   bool // an admin operation that is open to everyone
	Makes     bool // creates and registers the sandbox itself, even with --explicit-sandboxes
	Frees     bool // does not increase the memory in use, unlike others with its method; see [Operation.Keeps]
	TakesTurn bool // reads or generates a whole state; only a few such requests run at a time
	Stream    bool // an event stream, which accepts the key as access_token (RFC 6750, section 2.3)

	Index     int                 // the index among the operations whose lifecycle a sandbox can change
	Lifecycle lifecycle.Lifecycle // the initial lifecycle, which a sandbox can change
	Handle    Handler
	Change    Change  // for an operation that changes one or all sandboxes; its Handle is Change.Handle
	Serve     Handler // Handle wrapped in its chain; set by the server
}

// Unmatched stands for the operation of a request that no row matches: an OPTIONS request, or one
// that gets a 404 or a 405.
var Unmatched = &Operation{Kind: None, Body: Body{Max: MaxBody}, Frees: true}

// Reach describes which sandboxes an operation of the control plane concerns.
type Reach struct {
	ServerWide bool // concerns the server, not the request's sandbox
	OwnKey     bool // accepts the sandbox's key in place of the admin key
	Everywhere bool // can run in all sandboxes at once, under /sandboxes/*
	InTemplate bool // under /sandboxes/*, also changes the template, and thus the sandboxes created later
}

// DataPath is the path prefix of the pet store's operations in the control plane; see
// [Operation.AsData].
const DataPath = "/admin/data"

// AsData returns a copy of the operation for the control plane. The copy has the control plane's
// access rules. Faults do not affect it, and the sandbox's report and journal omit it. Only writes
// create a missing sandbox.
func (o *Operation) AsData() *Operation {
	data := *o
	data.Kind, data.Mount, data.Path, data.OwnKey = Admin, DataPath, DataPath+o.Path, true
	return &data
}

// TakesFaults reports whether faults (injected delays and failures) can affect the operation.
func (o *Operation) TakesFaults() bool { return o.Kind == Service || o.Kind == Private }

// Keeps reports whether a request may leave more memory in use than before. A server without free
// memory refuses such requests.
func (o *Operation) Keeps() bool {
	return o.Method != http.MethodGet && o.Method != http.MethodDelete && !o.Frees
}

// NeedsSandbox reports whether the operation concerns the request's sandbox. Other operations
// accept any valid sandbox name.
func (o *Operation) NeedsSandbox() bool {
	return o.TakesFaults() || o.Kind == Admin && !o.ServerWide
}

// UsesSandbox reports whether a request counts as activity in the sandbox and, without
// --explicit-sandboxes, creates the sandbox if it is missing. This is true of every operation that
// needs a sandbox, except reads of the control plane.
func (o *Operation) UsesSandbox() bool {
	return o.NeedsSandbox() && (o.Kind != Admin || o.Method != http.MethodGet)
}
