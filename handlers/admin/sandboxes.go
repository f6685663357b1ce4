package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Sandbox tells of one sandbox.
type Sandbox struct {
	Name       string               `json:"name"`
	Title      string               `json:"title"`      // the text that it was first named by
	CreatedAt  time.Time            `json:"createdAt"`  // by the machine's time
	LastUsedAt time.Time            `json:"lastUsedAt"` // by the machine's time
	Seed       *uint64              `json:"seed"`       // null: the data came from a file
	Counts     store.Counts         `json:"counts"`
	Clock      sandbox.ClockReading `json:"clock"`
	Faults     int                  `json:"faults"`
	Operations int                  `json:"operations"` // whose lifecycle is not the document's
	Journal    JournalSize          `json:"journal"`
	Writes     int64                `json:"writes"`          // changes of the data since its last reset
	Keyed      bool                 `json:"keyed"`           // whether it has a key of its own
	Private    bool                 `json:"private"`         // whether its service is for who knows that alone
	Vacant     bool                 `json:"vacant,omitzero"` // see [sandbox.Sandbox.Vacant]
	Key        string               `json:"key,omitempty"`   // told by the answer that made it, and never again
	journal.Activity
}

// AppendJSON appends the sandbox as JSON, for a list.
func (s Sandbox) AppendJSON(b []byte) []byte {
	text, err := rest.Encode(s)
	if err != nil {
		panic(err) // one always encodes
	}
	return append(b, text...)
}

func tellSandbox(sb *sandbox.Sandbox) Sandbox {
	return Sandbox{
		Name:       sb.Name,
		Title:      sb.Title,
		CreatedAt:  sb.Created(),
		LastUsedAt: sb.LastUsed(),
		Seed:       seed(sb.Baseline()),
		Counts:     sb.Store.View().Counts(),
		Clock:      sb.Clock.Read(),
		Faults:     sb.Faults.InForce(),
		Operations: sb.Lifecycles.Changes(),
		Journal:    journalSize(sb),
		Writes:     sb.Writes(),
		Activity:   sb.Journal.Activity(),
		Keyed:      sb.Keyed(),
		Private:    sb.Private(),
		Vacant:     sb.Vacant(),
	}
}

var sandboxQuery = []string{"limit", "offset", "sort", "name"}

func (s *Server) listSandboxes(x *rest.Exchange) error {
	q := x.ReadQuery()
	paging := q.Paging(sandbox.SortFields()...)
	named := store.NewNameFilter(q.Text("name"))
	if err := q.Err(); err != nil {
		return err
	}
	found := s.Sandboxes.Page(named, paging)
	page := store.Page[Sandbox]{Items: make([]Sandbox, len(found.Items)), Total: found.Total}
	for i, sb := range found.Items {
		page.Items[i] = tellSandbox(sb)
	}
	return rest.List(x, page, paging)
}

func (s *Server) getSandbox(x *rest.Exchange) error {
	name, err := x.PathSandbox("sandboxName")
	if err != nil {
		return err
	}
	sb, err := s.Sandboxes.Find(name.Title)
	if err != nil {
		return err
	}
	return x.JSON(http.StatusOK, tellSandbox(sb))
}

// makeSandbox makes a sandbox, or leaves the one of the name alone; with a body it
// has the baseline that the body asks for and is like new, either way. A fresh one is as
// new ones are, and has no snapshots. A body that is about its key alone leaves its data as
// it is.
func (s *Server) makeSandbox(x *rest.Exchange) error {
	request, err := rest.ReadOptional(x, sandboxFields, (*baselineRequest).checkKey)
	if err != nil {
		return err
	}
	name, err := x.PathSandbox("sandboxName")
	if err != nil {
		return err
	}
	made, created, err := s.makeNamed(x, name.Title, request)
	if err != nil {
		return err
	}
	return x.JSON(madeOrThere(created), made)
}

// createSandbox is makeSandbox for a name that the server chooses.
func (s *Server) createSandbox(x *rest.Exchange) error {
	request, err := rest.ReadOptional(x, sandboxFields, (*baselineRequest).checkKey)
	if err != nil {
		return err
	}
	made, _, err := s.makeNamed(x, s.Sandboxes.AnyName(), request)
	if err != nil {
		return err
	}
	x.SetHeader("Location", x.URL("/admin/sandboxes/"+made.Name))
	return x.JSON(http.StatusCreated, made)
}

func (s *Server) makeNamed(x *rest.Exchange, name string, request *baselineRequest) (made Sandbox, created bool, err error) {
	var wish sandbox.CreateOptions
	var own sandbox.Ownership
	if request != nil {
		own = sandbox.Ownership{Key: request.key, Private: request.private}
	}
	if request != nil && !request.keepsData() {
		before := s.Sandboxes.Baseline(name)
		if request.fresh {
			before = s.Sandboxes.FirstBaseline(name)
		}
		baseline, err := s.makeBaseline(x, request, before)
		if err != nil {
			return Sandbox{}, false, err
		}
		wish = sandbox.CreateOptions{Baseline: &baseline, Fresh: request.fresh}
	}
	sb, created, key, err := s.Sandboxes.MakeOwned(name, wish, own)
	if err != nil {
		return Sandbox{}, false, err
	}
	made = tellSandbox(sb)
	made.Key = key
	return made, created, nil
}

func (s *Server) dropSandbox(x *rest.Exchange) error {
	name, err := x.PathSandbox("sandboxName")
	if err != nil {
		return err
	}
	if err := s.Sandboxes.Drop(name.Title); err != nil {
		return err
	}
	return x.NoContent()
}

// forkRequest says what a fork is called.
type forkRequest struct{ name string }

var forkFields = field.Fields[forkRequest]{
	field.Optional("name", func(r *forkRequest) *string { return &r.name }, field.AnyText, ""),
}

func (s *Server) forkSandbox(x *rest.Exchange) error {
	request, err := rest.Read(x, forkFields, nil)
	if err != nil {
		return err
	}
	name, err := x.PathSandbox("sandboxName")
	if err != nil {
		return err
	}
	if _, err := sandbox.ParseName(request.name); err != nil {
		return rest.Invalid("/name", rest.BadSandboxName(request.name))
	}
	fork, err := s.Sandboxes.Fork(name.Title, request.name)
	if err != nil {
		return err
	}
	x.SetHeader("Location", x.URL("/admin/sandboxes/"+fork.Name))
	return x.JSON(http.StatusCreated, tellSandbox(fork))
}
