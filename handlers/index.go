package handlers

import (
	"net/http"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/rest"
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
