package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Sandbox describes a sandbox in a response.
type Sandbox struct {
	Name       string    `json:"name"`
	Title      string    `json:"title"`      // the name as spelled in the request that created the sandbox
	CreatedAt  time.Time `json:"createdAt"`  // by the machine's clock
	LastUsedAt time.Time `json:"lastUsedAt"` // by the machine's clock
	Contents
	Operations int         `json:"operations"` // the number of operations with a changed lifecycle
	Journal    JournalSize `json:"journal"`
	Writes     int64       `json:"writes"`          // changes to the data since the last reset or world import
	Keyed      bool        `json:"keyed"`           // the sandbox has its own key
	Private    bool        `json:"private"`         // see [registry.Entry.Private]
	Vacant     bool        `json:"vacant,omitzero"` // see [registry.Entry.Vacant]
	Key        string      `json:"key,omitempty"`   // only in the response to the request that set the key
	journal.Activity
}

// AppendJSON appends the sandbox as JSON.
func (s Sandbox) AppendJSON(b []byte) []byte {
	text, err := rest.Encode(s)
	if err != nil {
		panic(err) // cannot happen: every Sandbox can be encoded
	}
	return append(b, text...)
}

func sandboxView(sb *registry.Entry) Sandbox {
	return Sandbox{
		Name:       sb.Name,
		Title:      sb.Title,
		CreatedAt:  sb.Created,
		LastUsedAt: sb.LastUsed(),
		Contents:   contentsOf(sb.Sandbox),
		Operations: sb.Lifecycles.Changes(),
		Journal:    journalSize(sb),
		Writes:     sb.Writes(),
		Activity:   sb.Journal.Activity(),
		Keyed:      sb.Owner() != nil,
		Private:    sb.Private(),
		Vacant:     sb.Vacant(),
	}
}

var sandboxQuery = []string{"limit", "offset", "sort", "name"}

func (s *Server) listSandboxes(x *rest.Exchange) error {
	q := x.ReadQuery()
	paging := q.Paging(registry.SortFields()...)
	named := store.NewNameFilter(q.Text("name"))
	if err := q.Err(); err != nil {
		return err
	}
	found := s.Sandboxes.Page(named, paging)
	page := store.Page[Sandbox]{Items: make([]Sandbox, len(found.Items)), Total: found.Total}
	for i, sb := range found.Items {
		page.Items[i] = sandboxView(sb)
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
	return x.JSON(http.StatusOK, sandboxView(sb))
}

// makeSandbox creates a sandbox if it is missing. A PUT names it; for a POST, the server chooses the
// name. If the body describes a baseline or sets fresh, makeSandbox resets an existing sandbox. With
// fresh, the reset also removes snapshots and webhooks. If the body contains only key or private, the
// data does not change.
func (s *Server) makeSandbox(x *rest.Exchange) error {
	request, err := rest.ReadOptional(x, sandboxFields, (*baselineRequest).checkKey)
	if err != nil {
		return err
	}
	title := s.Sandboxes.AnyName()
	if x.R.Method == http.MethodPut {
		name, err := x.PathSandbox("sandboxName")
		if err != nil {
			return err
		}
		title = name.Title
	}
	var options registry.CreateOptions
	if request != nil {
		options.Key, options.Private = request.key, request.private
	}
	if request != nil && (request.fresh || !request.sizesLeftOut()) {
		baseline, err := s.makeBaseline(request, s.Sandboxes.Baseline(title, request.fresh))
		if err != nil {
			return err
		}
		options.Baseline, options.Fresh = &baseline, request.fresh
	}
	sb, created, key, err := s.Sandboxes.Make(title, options)
	if err != nil {
		return err
	}
	made := sandboxView(sb)
	made.Key = key
	if x.R.Method == http.MethodPost {
		x.SetHeader("Location", x.URL("/admin/sandboxes/"+made.Name))
	}
	return x.JSON(createdOrOK(created), made)
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

type forkRequest struct {
	name string
	at   *int64 // if not nil, the fork gets the data as it was after this request in the journal
}

var forkFields = field.Fields[forkRequest]{
	field.Required("name", func(r *forkRequest) *string { return &r.name }, field.AnyText),
	field.Pointer("at", func(r *forkRequest) **int64 { return &r.at }, field.Integer(1, store.MaxID)),
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
	fork, err := s.Sandboxes.Fork(name.Title, request.name, request.at)
	if err != nil {
		return err
	}
	x.SetHeader("Location", x.URL("/admin/sandboxes/"+fork.Name))
	return x.JSON(http.StatusCreated, sandboxView(fork))
}
