package handlers

import (
	"net/http"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
)

// index sends links to every GET operation of the service that has no path parameters, and to the
// control plane. With Config.Extras, it also links to the documents and, in a workshop, to the
// workshop's pages; browsers get the dashboard instead. The name of a link to an operation is the
// operationId without the verb, in lower case.
func (s *Server) index(x *rest.Exchange) error {
	var all links
	for i := range s.table {
		op := &s.table[i]
		if op.ID != "" && op.Kind != rest.Admin && op.Method == http.MethodGet && !strings.Contains(op.Path, "{") {
			name := strings.ToLower(strings.TrimLeftFunc(op.ID, unicode.IsLower))
			all = append(all, link{name, x.URL(op.Path)})
		}
	}
	if s.shared.Documents {
		all = append(all, link{"openapi", x.URL("/openapi.json")}, link{"docs", x.URL("/docs/")})
	}
	all = append(all, link{"admin", x.URL("/admin")})
	if s.shared.Documents && s.config.Workshop {
		all = append(all, link{"join", x.URL("/join")}, link{"workshop", x.URL("/workshop")})
	}
	return x.JSON(http.StatusOK, all)
}

type link struct{ name, address string }

// links is a JSON object whose members keep their order.
type links []link

// MarshalJSONTo implements json.MarshalerTo.
func (l links) MarshalJSONTo(enc *jsontext.Encoder) error {
	tokens := []jsontext.Token{jsontext.BeginObject}
	for _, link := range l {
		tokens = append(tokens, jsontext.String(link.name), jsontext.String(link.address))
	}
	for _, token := range append(tokens, jsontext.EndObject) {
		if err := enc.WriteToken(token); err != nil {
			return err
		}
	}
	return nil
}

// Health is the response to GET /healthz.
type Health struct {
	Status  string `json:"status"` // "ok"
	Version string `json:"version"`
}

// Drain makes GET /healthz return 503 from now on, so that load balancers send requests elsewhere.
// All other operations continue to work.
func (s *Server) Drain() { s.draining.Store(true) }

func (s *Server) health(x *rest.Exchange) error {
	if s.draining.Load() {
		return rest.Refuse("unavailable", "the server is about to stop; send requests to another one")
	}
	return x.JSON(http.StatusOK, Health{Status: "ok", Version: s.config.Version})
}

// streamEvents streams the changes to the sandbox's data.
func streamEvents(x *rest.Exchange) error {
	return x.StreamEvents(func(after int64) (*journal.Stream, error) { return x.Sandbox.Journal.Listen(after, false) })
}
