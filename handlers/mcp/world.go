package mcp

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
)

// exported is a tool that exports a world without its last member, the recorded requests. These are
// for human readers and may be longer than the rest of the world.
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

// imported is a tool that sends one argument, a world, as the request's body.
var imported = special{body: "world", own: []docs.Argument{
	needed("world",
		`{"type": "object", "description": "The world, as export_world returns it, or one written by hand."}`),
}}
