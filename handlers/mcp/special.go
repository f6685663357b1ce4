package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	prepare func(p *prepared)
	// choose returns the operationId of the operation to call: the tool's own, or one that prepare
	// added. It may change the arguments.
	choose func(who *caller, given values) (operation string, err error)
	// finish makes the tool's result from the response.
	finish func(who *caller, given values, result []byte) ([]byte, error)
}

// status defines the tool that returns the sandbox's summary, with the URLs of the sandbox.
var status = special{finish: func(who *caller, _ values, result []byte) ([]byte, error) {
	var known struct {
		Sandbox string `json:"sandbox"`
	}
	if err := json.Unmarshal(result, &known); err != nil {
		return nil, err
	}
	base := who.address(known.Sandbox)
	return fmt.Appendf(nil, `{"addresses":{"service":%q,"openapi":%q,"docs":%q,"dashboard":%q},%s`,
		base, base+"/openapi.json", base+"/docs/", base+"/", result[1:]), nil
}}

// fork defines the tool that copies the call's sandbox.
var fork = special{
	own: []docs.Argument{needed("name",
		`{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the new sandbox, which must not exist."}`)},
	choose: func(who *caller, given values) (string, error) {
		name, err := json.Marshal(who.sandboxOf(given))
		given["sandboxName"] = name
		return "forkSandbox", err
	},
}

// create defines the tool that creates a sandbox as the first request to that sandbox would.
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

// exported defines the tool that exports a world without its last member, the recorded requests.
// These are for human readers and may be longer than the rest of the world.
var exported = special{partial: true, finish: func(_ *caller, _ values, result []byte) ([]byte, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(result))
	_, err := dec.ReadToken() // the opening brace
	for err == nil {
		end := dec.InputOffset()
		if name, _ := dec.ReadToken(); name.Kind() == '"' && name.String() == "journal" {
			world := jsontext.Value(append(result[:end:end], '}'))
			return world, world.Compact()
		}
		err = dec.SkipValue()
	}
	return nil, errOver // the response was truncated before the last member
}}

// imported defines the tool that sends one argument, a world, as the request's body.
var imported = special{body: "world", own: []docs.Argument{
	needed("world",
		`{"type": "object", "description": "The world, as export_world returns it, or one written by hand."}`),
}}

// collections returns the collections that list_records reads.
var collections = sync.OnceValue(docs.Service().Collections)

// records defines the tool that lists the records of a collection or returns one of them.
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
