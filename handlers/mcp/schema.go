package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
)

// sandboxName is the name of the argument that names a sandbox.
const sandboxName = "sandbox"

// sandboxArgument is the argument that nearly every tool has.
var sandboxArgument = docs.Argument{Name: sandboxName, Schema: []byte(
	`{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the sandbox to use; the default is that of this server's address, else \"default\"."}`)}

// needed returns a required argument that the OpenAPI documents do not describe.
func needed(name, schema string) docs.Argument {
	return docs.Argument{Name: name, Required: true, Schema: []byte(schema)}
}

// pick returns the operation's arguments that have the given names. It panics if one is missing.
func pick(r docs.Request, names ...string) []docs.Argument {
	var all []docs.Argument
	for _, name := range names {
		a := find(r.Arguments, name)
		if a == nil {
			panic("mcp: " + r.Method + " " + r.Path + " does not take " + name)
		}
		all = append(all, *a)
	}
	return all
}

// find returns the argument with the name, or nil if there is none.
func find(arguments []docs.Argument, name string) *docs.Argument {
	for i := range arguments {
		if arguments[i].Name == name {
			return &arguments[i]
		}
	}
	return nil
}

// inputSchema returns the JSON Schema of the tool's arguments. It includes the tool's own defaults.
func (p *prepared) inputSchema() object {
	properties, required := object{}, []string{}
	for _, a := range p.arguments {
		var schema object
		if err := json.Unmarshal(a.Schema, &schema); err != nil {
			panic(err) // cannot happen: the schemas are constant
		}
		if value, ok := p.optional[a.Name]; ok {
			schema["default"] = jsontext.Value(value)
		}
		if properties[a.Name] = schema; a.Required {
			required = append(required, a.Name)
		}
	}
	schema := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}
