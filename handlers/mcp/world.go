package mcp

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
)

// exported drops the last member of a world, the recorded requests: they are for people, and may be
// longer than all the rest.
var exported = special{partial: true, finish: func(_ *caller, _ values, result []byte) ([]byte, error) {
	in, out := jsontext.NewDecoder(bytes.NewReader(result)), new(bytes.Buffer)
	to := jsontext.NewEncoder(out)
	if err := copyToken(to, in); err != nil { // the brace
		return nil, err
	}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil {
			return nil, err
		}
		if name.String() == "journal" {
			break
		}
		if err := to.WriteToken(name); err != nil {
			return nil, err
		}
		value, err := in.ReadValue()
		if err != nil {
			return nil, errOver // the response was truncated here
		}
		if err := to.WriteValue(value); err != nil {
			return nil, err
		}
	}
	err := to.WriteToken(jsontext.EndObject)
	return out.Bytes(), err
}}

func copyToken(to *jsontext.Encoder, from *jsontext.Decoder) error {
	token, err := from.ReadToken()
	if err != nil {
		return err
	}
	return to.WriteToken(token)
}

// imported takes a world as one argument, which is the request's body.
var imported = special{body: "world", prepare: func(p *prepared, _ *docs.Document) {
	world := described("world", `{"type": "object", "description": "The world, as export_world returns it, or one written by hand."}`)
	world.Required = true
	p.arguments = append(p.arguments, world)
}}
