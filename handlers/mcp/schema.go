package mcp

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
)

// argument is an argument of a tool.
type argument struct {
	docs.Argument
	schema map[string]jsontext.Value
}

// described returns an argument that is not in the documents.
func described(name, schema string) argument {
	return fromDocument(docs.Argument{Name: name, Schema: []byte(schema)})
}

func fromDocument(a docs.Argument) argument {
	var schema map[string]jsontext.Value
	if err := json.Unmarshal(a.Schema, &schema); err != nil {
		panic(err) // impossible: the schemas are constant
	}
	return argument{a, schema}
}

// sandboxArgument is the argument that every tool has.
func sandboxArgument() argument {
	return described("sandbox", `{"type": "string", "minLength": 1, "maxLength": 200, "description": "The name of the sandbox to use; the default is that of this server's address, else \"default\"."}`)
}

// arguments returns the operation's arguments that the tool accepts, in the tool's order.
func (t *tool) arguments(r docs.Request) []argument {
	var all []argument
	for _, name := range t.takes {
		i := slices.IndexFunc(r.Arguments, func(a docs.Argument) bool { return a.Name == name })
		if i < 0 {
			panic("mcp: " + t.operation + " does not take " + name)
		}
		all = append(all, fromDocument(r.Arguments[i]))
	}
	return all
}

// withDefaults adds the tool's own defaults to the schemas.
func (t *tool) withDefaults(arguments []argument) {
	for _, a := range arguments {
		if value, ok := t.optional[a.Name]; ok {
			a.schema["default"] = jsontext.Value(value)
		}
	}
}

// inputSchema returns the JSON Schema of the arguments.
func inputSchema(arguments []argument) map[string]any {
	properties, required := make(map[string]any), []string{}
	for _, a := range arguments {
		properties[a.Name] = a.schema
		if a.Required {
			required = append(required, a.Name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}
