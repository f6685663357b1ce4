package rest

import (
	"net/http"

	"example.com/petstore/handlers/sandbox"
)

// Kind is what an operation is part of. It decides on keys, origins and whether faults
// affect the operation.
type Kind int

const (
	// Service is an operation of the pet store. It wants a key where the server
	// has keys.
	Service Kind = iota
	// Private is an operation of the pet store that wants a key always.
	Private
	// Admin is an operation of the control plane: it wants the admin key where there
	// is one, else a known Host, no foreign Origin and no client behind a proxy.
	Admin
	// Health tells whether the server is up. It is open.
	Health
	// Page is a document or a page for a person. It is open and in no OpenAPI
	// document, being no operation of the API.
	Page
)

// Operation is one row of the route table. Registration, the Allow header,
// lifecycle headers and the documents are derived from it.
type Operation struct {
	ID     string // operationId; empty for a page
	Method string // one of GET, POST, PUT, PATCH, DELETE; GET answers HEAD too
	Path   string // gorilla/mux template below the base address, such as /pets/{petId}
	Tag    string // of the OpenAPI document
	Kind   Kind
	Query  []string // the query parameters that the operation has
	Body   Body     // what it takes as a body; of operations of the pet store, see Takes
	Vary   string   // the request headers besides those of all operations that can change the answer; empty: none

	Anybody    bool // whether it wants no key, though it is of the control plane
	Everywhere bool // whether it can be done in every sandbox at once, under /sandboxes/*
	InTemplate bool // whether that changes the template too, so that later sandboxes begin with it
	OwnKey     bool // whether the key of the request's sandbox opens it, as the admin key does; of the control plane alone
	ServerWide bool // whether it is about the server, and not about the sandbox of its request
	Makes      bool // whether it makes its sandbox even where no request does, and registers it by itself once it knows that it can
	Frees      bool // whether it leaves no more behind than there was, though its method might; see Keeps
	TakesTurn  bool // whether its body is, or asks for, a whole state; few such requests run at once
	Stream     bool // whether it answers an event stream; the key of one may come as access_token too (RFC 6750, section 2.3)

	Index     int               // among the operations that a sandbox knows, which the control plane's are not
	Lifecycle sandbox.Lifecycle // how it starts; a sandbox may say otherwise
	Handle    Handler
}

// DataPath is what the paths of the operations of the pet store begin with in the control
// plane; see [Operation.AsData].
const DataPath = "/admin/data"

// AsData returns the operation as a part of the control plane: for those who may use that,
// and without what disturbs, counts and records a request to the pet store. A write alone
// makes its sandbox.
func (o *Operation) AsData() *Operation {
	data := *o
	data.Kind, data.Path, data.Body, data.OwnKey = Admin, DataPath+o.Path, o.Takes(), true
	return &data
}

// TakesFaults reports whether faults, which are injected delays and failures, affect the operation.
func (o *Operation) TakesFaults() bool { return o.Kind == Service || o.Kind == Private }

// Takes returns what the operation takes as a body: in the pet store every POST, PUT
// and PATCH takes one.
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

// Keeps reports whether a request may leave something behind. A server without memory
// refuses those, and goes on with the others.
func (o *Operation) Keeps() bool {
	return o.Method != http.MethodGet && o.Method != http.MethodDelete && !o.Frees
}

// NeedsSandbox reports whether the operation is about the sandbox of its request. Others
// are answered for any name.
func (o *Operation) NeedsSandbox() bool {
	return o.TakesFaults() || o.Kind == Admin && !o.ServerWide
}

// UsesSandbox reports whether a request makes its sandbox unless it is there, and keeps
// it from being idle: all that needs one does but the reads of the control plane.
func (o *Operation) UsesSandbox() bool {
	return o.NeedsSandbox() && (o.Kind != Admin || o.Method != http.MethodGet)
}
