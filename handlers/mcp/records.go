package mcp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// special defines how a tool differs from an ordinary tool.
type special struct {
	everywhere bool            // the tool takes no sandbox argument
	own        []docs.Argument // arguments that no operation defines
	body       string          // the argument that is sent as the whole request body, or ""
	partial    bool            // the tool accepts a truncated response

	// prepare adds more operations and their arguments.
	prepare func(p *prepared, service *docs.Document)
	// choose returns the operation to call, which must be prepared. It may change the arguments.
	choose func(who *caller, given values) (operation string, err error)
	// finish makes the tool's result from the response.
	finish func(who *caller, given values, result []byte) ([]byte, error)
}

// collections returns the collections that list_records reads.
var collections = sync.OnceValue(func() []docs.Collection { return docs.Service().Collections() })

// filters lists arguments of list_records, each with the operation that documents it. The last two
// arguments apply to all collections.
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
		p.arguments = []docs.Argument{
			needed("collection", fmt.Sprintf(`{"type": "string", "enum": %s, "description": "What to list."}`, enum)),
			{Name: "id",
				Schema: []byte(
					`{"type": "integer", "description": "Read the record of this id alone; in inventory that of the pet."}`)},
			{Name: "sort",
				Schema: []byte(
					`{"type": "string", "description": "The field to sort by, with - before it for descending."}`)},
		}
		for _, f := range filters {
			p.arguments = append(p.arguments, pick(p.requests[f.operation], f.argument)...)
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

// fork is a tool that copies the call's sandbox.
var fork = special{
	own: []docs.Argument{needed("name",
		`{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the new sandbox, which must not exist."}`)},
	choose: func(who *caller, given values) (string, error) {
		name, err := json.Marshal(who.sandboxOf(given))
		given["sandboxName"] = name
		return "forkSandbox", err
	},
}

// create is a tool that creates a sandbox like the first request to that sandbox would.
var create = special{
	everywhere: true,
	own: []docs.Argument{needed("name",
		`{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the sandbox."}`)},
	choose: func(_ *caller, given values) (string, error) {
		if given.text("name") == "" {
			return "", errors.New("name must not be empty")
		}
		given["sandboxName"] = given["name"]
		delete(given, "name")
		return "makeSandbox", nil
	},
}
