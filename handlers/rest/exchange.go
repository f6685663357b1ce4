package rest

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Server holds the values that all requests to a server share.
type Server struct {
	Public     PublicURL      // the zero PublicURL if users reach the server directly
	Memory     *memory.Budget // nil means no limit
	MaxWaiters int            // the maximum number of waiting requests; 0 means no limit
	Keys       journal.Keys   // the keys to redact in logs and reports
	Documents  bool           // the server serves documents, pages and /mcp

	waiters atomic.Int64 // see [Exchange.AddWaiter]
}

// Route describes the sandbox that a request's path names, and the operation that its path and
// method select.
type Route struct {
	Prefix string // the escaped path prefix that names the sandbox, or ""
	named  string // the decoded name in Prefix, which is "*" for all sandboxes
	Path   string // the path after the prefix, decoded except for %2F and %25

	Operation *Operation // [Unmatched] if no route or method matches
	Allow     string     // the value of the Allow header, or "" if the path is unknown
	Params    Params
}

// Params are the parameters of a path.
type Params []Param

// Param is a path parameter with its decoded value.
type Param struct{ Name, Value string }

// Get returns the value of the named parameter, or "" if the path has no such parameter.
func (p Params) Get(name string) string {
	for _, param := range p {
		if param.Name == name {
			return param.Value
		}
	}
	return ""
}

// Visit describes a request's use of its sandbox.
type Visit struct {
	Sandbox *registry.Entry // nil if the name is invalid or stands for all sandboxes; see SandboxName and Everywhere
	Since   Mark            // identifies the sandbox's owner and data as of the request's arrival
	Arrived time.Time       // when the request arrived, by the sandbox's clock, or by the machine's if Sandbox is nil

	before, state int64 // see [Exchange.States]; 0 before the request has read or written
}

// Mark identifies the owner and the data of a sandbox as of a request's arrival. A later comparison
// with the sandbox shows whether the owner has changed, or the data or the journal has been reset.
type Mark struct {
	Owner         *registry.Owner
	DataReset     <-chan struct{} // closed before the next reset or imported world replaces the data
	JournalResets int             // the number of resets of the journal before the request arrived
}

// Exchange is a request and its response. Only the goroutine that serves the request may use it.
type Exchange struct {
	*Server
	Route // the router sets Operation, Allow and Params

	W    http.ResponseWriter // &Sent, or the writer that a link uses in its place
	R    *http.Request
	Sent Writer
	Came time.Time // when the server began to handle the request, on the machine's clock

	// Package middleware determines these fields. Each comment begins with the link or type that
	// determines the field.

	ID     string // Headers: the id in X-Request-Id and in the log
	Client string // Proxies: the client's address
	Visit         // Door: how the request uses its sandbox
	// Headers: the operation's lifecycle in the sandbox; nil for pages and unmatched paths.
	Lifecycle *lifecycle.Lifecycle
	ByOwner   bool        // Authorize: the request has its sandbox's key, which the operation accepts
	Draws     fault.Draws // Disturb: the random numbers of a request that faults can affect
	Fault     int64       // Disturb: the id of the applied fault rule, or 0
	Strict    bool        // Strict: unknown fields and parameters are errors

	values   []string // the values that SetHeader set, in one slice to save allocations
	body     reading
	reserved reservation
}

// NewExchange returns the exchange of a request to a server.
func NewExchange(server *Server, w http.ResponseWriter, r *http.Request) *Exchange {
	x := &Exchange{Server: server, R: r, Sent: Writer{ResponseWriter: w}, Came: sandbox.Machine(),
		values: make([]string, 0, 8)}
	x.W, x.Arrived, x.Operation = &x.Sent, x.Came, Unmatched
	if r.ContentLength != 0 {
		// Set the deadline for every request with a body: net/http reads a part of the body before
		// it sends the response, even if the operation does not.
		x.setDeadline(x.Came.Add(bodyTimeout))
	}
	x.Prefix, x.named, x.Path = readPath(r.URL, server.Public)
	return x
}

// End releases the memory that the exchange has reserved. It must be called after the response has
// ended.
func (x *Exchange) End() {
	if x.reserved.request > 0 {
		x.Memory.Release(x.reserved.request)
		x.reserved.request = 0
	}
	if x.reserved.answer > 0 {
		x.Memory.ReleaseAnswer(x.reserved.answer)
		x.reserved.answer = 0
	}
}

// TakeSandbox sets the request's sandbox. If the request already had a sandbox,
// [Exchange.CheckOwner] then fails unless the new one has the owner that the old one had when the
// request arrived.
func (x *Exchange) TakeSandbox(sb *registry.Entry) {
	owner := sb.Owner()
	if x.Sandbox != nil {
		owner = x.Since.Owner
	}
	x.Sandbox, x.Arrived = sb, sb.Clock.At(x.Came)
	x.Since = Mark{Owner: owner, DataReset: sb.DataReset(), JournalResets: sb.Journal.Resets()}
}

// CheckOwner returns a 503 if the sandbox's key or privacy has changed since the request arrived.
// After such a change, the request may no longer have access.
func (x *Exchange) CheckOwner() error {
	if x.Sandbox == nil || x.Sandbox.Owner() == x.Since.Owner {
		return nil
	}
	return x.interrupted(registry.ErrOwner, NotRun)
}

// CheckTarget returns a 503 if the request must not write any more: its sandbox was dropped, or
// CheckOwner returns a 503.
func (x *Exchange) CheckTarget() error {
	if x.Sandbox != nil && errors.Is(context.Cause(x.Sandbox.Life), sandbox.ErrDropped) {
		return x.interrupted(sandbox.ErrDropped, NotRun)
	}
	return x.CheckOwner()
}

// Update changes the data of the request's sandbox; see [sandbox.Sandbox.Update]. It returns a 503
// if CheckTarget does.
func (x *Exchange) Update(event *journal.Event, change func(*store.Tx) error) (err error) {
	event.ByWebhook = x.R.Header[webhook.Header] != nil
	x.before, x.state, err = x.Sandbox.Update(event, func(tx *store.Tx) error {
		if err := x.CheckTarget(); err != nil {
			return err
		}
		return change(tx)
	})
	return err
}

// View returns the data of the request's sandbox and records the number of the state for
// [Exchange.States].
func (x *Exchange) View() *store.State {
	now := x.Sandbox.Store.Keep()
	x.before, x.state = now.Number, now.Number
	return now.State
}

// States returns the numbers of the states before and after the request's last read or write, for
// [store.Store.At]. If the request has not read or written any state, States reads the current one.
func (x *Exchange) States() (before, after int64) {
	if x.state == 0 {
		x.View()
	}
	return x.before, x.state
}

// PathID returns the named path parameter as an id, or a 400 if it is not a 64-bit integer.
func (x *Exchange) PathID(name string) (int64, error) {
	text := x.Params.Get(name)
	id, wrong := field.ParseInteger(text, math.MinInt64, math.MaxInt64)
	if wrong != "" {
		return 0, BadParameter(name, wrong+", not "+field.Quote(text))
	}
	return id, nil
}

// Everywhere reports whether the request is for all sandboxes. This is true of a path under
// /sandboxes/*, if the request has no X-Sandbox.
func (x *Exchange) Everywhere() bool {
	return x.Prefix != "" && x.named == "*" && x.R.Header["X-Sandbox"] == nil
}
