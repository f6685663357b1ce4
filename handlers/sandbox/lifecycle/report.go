package lifecycle

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// maxCallers is the maximum number of uses that a report records. maxCallerBytes is the maximum
// length of each text of a [Caller], in bytes.
const (
	maxCallers     = 1000
	maxCallerBytes = 256
	useBytes       = 256 // the memory that a use takes besides the texts of its Caller
)

// Caller identifies a client by the headers that it sends.
type Caller struct {
	UserAgent  string `json:"userAgent"` // the client's program
	ClientName string `json:"clientName"`
}

// ClientName returns the name of a client: the value of its X-Client header, or else the name of
// the first program in its User-Agent header, or "browser" if the client is a browser. Without
// either header, the name is empty.
func ClientName(client, agent string) string {
	switch {
	case client != "":
		return client
	case strings.HasPrefix(agent, "Mozilla/"):
		return "browser"
	}
	if end := strings.IndexAny(agent, " \t/"); end >= 0 {
		agent = agent[:end]
	}
	return agent
}

// displayName returns the caller's name and User-Agent, or only the User-Agent if the name comes from it.
func (c Caller) displayName() string {
	switch {
	case c.ClientName == "":
		return "a caller without a name"
	case c.UserAgent == "":
		return c.ClientName
	case c.ClientName == ClientName("", c.UserAgent):
		return c.UserAgent
	}
	return c.ClientName + " (" + c.UserAgent + ")"
}

// Use counts the calls of one deprecated operation by one caller.
type Use struct {
	Operation string `json:"operationId"`
	Caller
	Count int       `json:"count"`
	First time.Time `json:"first"` // by the sandbox's clock
	Last  time.Time `json:"last"`
}

// Report counts the calls of operations and records the uses of deprecated ones. It is safe for
// concurrent use.
type Report struct {
	memory *memory.Budget // the budget of the process
	calls  []atomic.Int64 // in the order of [Lifecycles.Operations]

	mu    sync.Mutex
	uses  map[useKey]*Use // guarded by mu
	order []*Use          // guarded by mu: in order of first use
	other int             // guarded by mu: the number of calls that were not recorded, because there was no room
	bytes int             // guarded by mu: the memory that the uses take
}

// Init sets up a new Report for the given number of operations. budget is the budget of the
// process.
func (r *Report) Init(operations int, budget *memory.Budget) {
	r.calls, r.memory = make([]atomic.Int64, operations), budget
}

// Count counts a call of the operation with the given index in [Lifecycles.Operations].
func (r *Report) Count(operation int) { r.calls[operation].Add(1) }

// Calls returns the number of calls of the operation with the given index.
func (r *Report) Calls(operation int) int64 { return r.calls[operation].Load() }

type useKey struct {
	operation string
	caller    Caller
}

// Add records a call, and reports whether it is the caller's first use of the operation. If there
// is no room for another use, Add only counts the call as not recorded, and returns false.
func (r *Report) Add(operation string, caller Caller, now time.Time) bool {
	caller = Caller{
		UserAgent:  field.Truncate(caller.UserAgent, maxCallerBytes),
		ClientName: field.Truncate(caller.ClientName, maxCallerBytes),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if use, ok := r.uses[useKey{operation, caller}]; ok {
		use.Count++
		use.Last = now
		return false
	}
	bytes := useBytes + len(caller.UserAgent) + len(caller.ClientName)
	if len(r.order) >= maxCallers || !r.memory.Keep(int64(bytes)) {
		r.other++
		return false
	}
	if r.uses == nil {
		r.uses = make(map[useKey]*Use)
	}
	// Clone, because a header's value keeps the whole request in memory.
	caller = Caller{UserAgent: strings.Clone(caller.UserAgent), ClientName: strings.Clone(caller.ClientName)}
	use := &Use{Operation: operation, Caller: caller, Count: 1, First: now, Last: now}
	r.uses[useKey{operation, caller}] = use
	r.order = append(r.order, use)
	r.bytes += bytes
	return true
}

// Bytes returns the memory that the recorded uses take.
func (r *Report) Bytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(r.bytes)
}

// Uses returns the recorded uses, in order of first use, and the number of calls that were not
// recorded.
func (r *Report) Uses() (uses []Use, other int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	uses = make([]Use, len(r.order))
	for i, use := range r.order {
		uses[i] = *use
	}
	return uses, r.other
}

// Reset discards all calls and uses.
func (r *Report) Reset() {
	for i := range r.calls {
		r.calls[i].Store(0)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.uses, r.order, r.other, r.bytes = nil, nil, 0, 0
}
