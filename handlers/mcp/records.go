package mcp

import (
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// collections returns the collections that list_records reads.
var collections = sync.OnceValue(docs.Service().Collections)

var records = special{
	prepare: func(p *prepared) {
		var names []string
		for _, c := range collections() {
			names = append(names, c.Name)
			for _, operation := range []string{c.List, c.One} {
				r := docs.Service().Request(operation)
				r.Path = rest.DataPath + r.Path
				p.requests[operation] = r
			}
		}
		enum, _ := json.Marshal(names)
		p.arguments = []docs.Argument{
			needed("collection", fmt.Sprintf(`{"type": "string", "enum": %s, "description": "What to list."}`, enum)),
			{Name: "id",
				Schema: []byte(
					`{"type": "integer", "description": "Read the record of this id alone; in inventory that of the pet."}`)},
			{Name: "sort",
				Schema: []byte(
					`{"type": "string", "description": "The field to sort by, with - before it for descending."}`)},
		}
		for _, c := range collections() {
			for _, a := range p.requests[c.List].Arguments {
				if find(p.arguments, a.Name) == nil {
					p.arguments = append(p.arguments, a)
				}
			}
		}
	},
	choose: func(_ *caller, given values) (string, error) {
		collection := given.text("collection")
		delete(given, "collection")
		var names []string
		for _, c := range collections() {
			names = append(names, c.Name)
			if c.Name != collection {
				continue
			}
			if id := given["id"]; id != nil {
				delete(given, "id")
				given[c.ID] = id
				return c.One, nil
			}
			return c.List, nil
		}
		return "", fmt.Errorf("collection %s", field.MustBeOneOf(names, collection))
	},
}
