package rest

import (
	"net/http"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Exchange is one request and its answer. It belongs to the goroutine that
// serves the request.
type Exchange struct {
	W    http.ResponseWriter // where the answer goes: Sent, or what a link wraps around it
	R    *http.Request
	Sent Writer
	Came time.Time // when the server began to handle the request, by the machine's time

	// Plain is the answer before it is compressed; nil: it is not.
	Plain *Plain

	Client  string           // the address of the client, see middleware.Proxies
	ID      string           // of the request, for X-Request-Id and the log
	Prefix  string           // the path prefix by which the client chose the sandbox, for an address; or empty
	Path    string           // the request's path behind the prefix, decoded but for %2F and %25
	Mount   string           // what Path begins with before the path of an operation of the pet store: [DataPath], or empty
	Sandbox *sandbox.Sandbox // nil: the request names none that can be, and SandboxName says why

	// Reset is closed when the data of the sandbox was reset since the request came; nil:
	// never. JournalResets is how often its journal had been then.
	Reset         <-chan struct{}
	JournalResets int

	owner *sandbox.Owner // that the sandbox had before the request was let in

	Memory   *memory.Budget // of the server
	reserved int64          // bytes of it
	held     int64          // bytes of it that the answer holds
	Standing *Standing      // of the server

	named  string     // the sandbox that Prefix names
	public *PublicURL // of the server; nil: users reach it directly

	// Draws are the request's random numbers, where it can be affected by faults: the link
	// middleware.AssignDraws sets them, and whoever draws does so from here, in place.
	Draws fault.Draws

	// Fault is the id of the fault rule that was applied, for the journal; 0: none.
	Fault int64

	Operation *Operation // nil where no route or method matches
	Allow     string     // the methods of the path for the Allow header; empty: there is no such path
	Params    map[string]string

	// Lifecycle is what the operation says of its age in the sandbox, looked up once
	// so that one answer says one thing; nil: a page, or nothing matches.
	Lifecycle *sandbox.Lifecycle

	ByOwner bool // whether the request bears the key of its sandbox, where that opens the operation

	Strict bool // whether unknown fields and parameters are refused

	values [8]string // of headers of the answer, together, which saves memory of its own for each
	valued int       // how many of them are taken

	waited bool // whether it has waited, so that Reset may be closed

	shared map[any]any // what [Shared] has made

	body    []byte                 // of the request, once it is read
	bodyErr error                  // why it cannot be
	start   atomic.Pointer[[]byte] // its beginning, where it took more than one read, or failed; nil: it did not
	ahead   <-chan struct{}        // closed when the goroutine that reads the body has ended; nil: there was none

	unwanted atomic.Bool // whether its time is over, whoever reads it
}

// NewExchange returns the exchange of a request to a server that users reach directly.
func NewExchange(w http.ResponseWriter, r *http.Request) *Exchange { return NewExchangeAt(nil, w, r) }

// NewExchangeAt returns the exchange of a request to a server that users reach by the
// address.
func NewExchangeAt(public *PublicURL, w http.ResponseWriter, r *http.Request) *Exchange {
	x := &Exchange{R: r, Sent: Writer{ResponseWriter: w}, Came: sandbox.Machine(), public: public}
	x.W = &x.Sent
	x.boundBody()
	x.Prefix, x.named, x.Path = readPath(r.URL, public)
	return x
}

// TakeSandbox makes the sandbox that of the request, as it is now. One that takes the place of
// another must have the owner that the other had when the request came: see [Exchange.CheckOwner].
func (x *Exchange) TakeSandbox(sb *sandbox.Sandbox) {
	if x.Sandbox == nil {
		x.owner = sb.Owner()
	}
	x.Sandbox, x.Reset, x.JournalResets = sb, sb.DataReset(), sb.Journal.Resets()
}

// Started reports whether a part of the answer has been sent.
func (x *Exchange) Started() bool { return x.Sent.Status != 0 }

// PathID returns the path parameter of the name as an id: 400 unless it is an
// integer of 64 bits.
func (x *Exchange) PathID(name string) (int64, error) {
	text := x.Params[name]
	id, wrong := field.ParseInteger(text)
	if wrong != "" {
		return 0, BadParameter(field.Problem{Field: name, Message: wrong + ", not " + field.Quote(text)})
	}
	return id, nil
}
