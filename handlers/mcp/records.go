package mcp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// sandboxName is the argument of every tool that names a sandbox.
const sandboxName = "sandbox"

// special is what is particular to a tool.
type special struct {
	everywhere bool // whether it is about no sandbox that there is

	prepare func(p *prepared, service *docs.Document)
	choose  func(who *caller, given values) (operation string, err error) // of those that prepare has read; it may change the arguments
	body    string                                                        // the argument that is the whole body of the request; empty: there is none
	partial bool                                                          // whether finish can read an answer that is cut
	finish  func(who *caller, given values, result []byte) ([]byte, error)
}

// collections are those that list_records reads.
var collections = sync.OnceValue(func() []docs.Collection { return docs.Service().Collections() })

// filters are the arguments of list_records, each with the collection whose document says
// what it is. All of them have the last two.
var filters = []struct{ operation, argument string }{
	{"listPets", "status"}, {"listPets", "categoryId"}, {"listPets", "name"},
	{"listOrders", "petId"}, {"listOrders", "complete"},
	{"listInventory", "maxQuantity"},
	{"listPets", "limit"}, {"listPets", "offset"},
}

var records = special{
	prepare: func(p *prepared, service *docs.Document) {
		var names []string
		for _, c := range collections() {
			names = append(names, c.Name)
			for _, operation := range []string{c.List, c.One} {
				r := service.Request(operation)
				r.Path = rest.DataPath + r.Path
				p.requests[operation] = r
			}
		}
		enum, _ := json.Marshal(names)
		collection := described("collection", fmt.Sprintf(`{"type": "string", "enum": %s, "description": "What to list."}`, enum))
		collection.Required = true
		p.arguments = append(p.arguments, collection,
			described("id", `{"type": "integer", "description": "Read the record of this id alone; in inventory that of the pet."}`),
			described("sort", `{"type": "string", "description": "The field to sort by, with - before it for descending."}`))
		for _, f := range filters {
			part := tool{operation: f.operation, takes: []string{f.argument}}
			p.arguments = append(p.arguments, part.arguments(p.requests[f.operation])...)
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

// fork copies the sandbox that the call is about.
var fork = special{
	prepare: func(p *prepared, _ *docs.Document) {
		name := described("name", `{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the new sandbox, which must not exist."}`)
		name.Required = true
		p.arguments = append(p.arguments, name)
	},
	choose: func(who *caller, given values) (string, error) {
		name, err := json.Marshal(who.sandboxOf(given))
		given["sandboxName"] = jsontext.Value(name)
		return "forkSandbox", err
	},
}

// create makes a sandbox as the first request to it would.
var create = special{
	everywhere: true,
	prepare: func(p *prepared, _ *docs.Document) {
		name := described("name", `{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the sandbox."}`)
		name.Required = true
		p.arguments = append(p.arguments, name)
	},
	choose: func(_ *caller, given values) (string, error) {
		if given.text("name") == "" {
			return "", errors.New("name must not be empty")
		}
		given["sandboxName"] = given["name"]
		delete(given, "name")
		return "makeSandbox", nil
	},
}

// sandboxOf returns the name of the sandbox that a call is about.
func (c *caller) sandboxOf(given values) string {
	switch name := given.text(sandboxName); {
	case name != "":
		return name
	case c.sandbox != "":
		return c.sandbox
	}
	return sandbox.Default
}
