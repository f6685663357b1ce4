package docs

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.com/petstore/fixtures"
	"example.com/petstore/store/field"
)

// Request describes how to make a request for an operation.
type Request struct {
	Method    string // such as GET
	Path      string // with parameters in braces
	NeedsBody bool   // the body is required, even if it is an empty object
	Arguments []Argument
}

// Argument is a parameter or a body field of an operation.
type Argument struct {
	Name     string
	In       string // path, query or body
	Required bool
	Joined   bool   // if the value is an array, it is sent as one value with commas between the elements
	Schema   []byte // a self-contained JSON Schema, including a description
}

// Request returns the description of an operation's requests. Its arguments are the path
// parameters, the query parameters and the fields of the body. Request panics if the operation is
// unknown.
func (d *Document) Request(operationID string) Request {
	root := d.parse().Content[0]
	paths := child(root, "paths")
	for i := 0; i < len(paths.Content); i += 2 {
		item := paths.Content[i+1]
		for j := 0; j < len(item.Content); j += 2 {
			operation := item.Content[j+1]
			if id := child(operation, "operationId"); id != nil && id.Value == operationID {
				r := Request{Method: strings.ToUpper(item.Content[j].Value), Path: paths.Content[i].Value}
				r.addParameters(root, child(item, "parameters"))
				r.addParameters(root, child(operation, "parameters"))
				r.addBody(root, child(operation, "requestBody"))
				return r
			}
		}
	}
	panic("docs: no operation has the id " + operationID)
}

// addParameters adds path and query parameters.
func (r *Request) addParameters(root, parameters *yaml.Node) {
	if parameters == nil {
		return
	}
	for _, p := range parameters.Content {
		p = resolved(root, p)
		in := child(p, "in").Value
		if in != "path" && in != "query" {
			continue
		}
		schema := standalone(root, child(p, "schema"))
		if description := child(p, "description"); description != nil {
			set(schema, "description", description)
		}
		explode := child(p, "explode")
		r.Arguments = append(r.Arguments, Argument{
			Name: child(p, "name").Value, In: in, Required: isTrue(child(p, "required")),
			Joined: explode != nil && !isTrue(explode), Schema: toJSON(schema),
		})
	}
}

// addBody adds the fields of the body.
func (r *Request) addBody(root, body *yaml.Node) {
	if body == nil {
		return
	}
	r.NeedsBody = isTrue(child(body, "required"))
	schema := standalone(root, child(child(child(body, "content"), "application/json"), "schema"))
	properties, required := child(schema, "properties"), child(schema, "required")
	if properties == nil {
		return
	}
	for i := 0; i < len(properties.Content); i += 2 {
		name := properties.Content[i].Value
		r.Arguments = append(r.Arguments, Argument{
			Name: name, In: "body", Schema: toJSON(properties.Content[i+1]),
			Required: required != nil &&
				slices.ContainsFunc(required.Content, func(n *yaml.Node) bool { return n.Value == name }),
		})
	}
}

// resolved returns the node that n refers to, or n if n is not a reference.
func resolved(root, n *yaml.Node) *yaml.Node {
	ref := child(n, "$ref")
	if ref == nil {
		return n
	}
	for key := range strings.SplitSeq(strings.TrimPrefix(ref.Value, "#/"), "/") {
		root = child(root, key)
	}
	return root
}

// standalone returns a copy of an OpenAPI 3.0 schema. It resolves references and removes the
// keyword example, which JSON Schema lacks. No request schema refers to itself, so it terminates.
func standalone(root, n *yaml.Node) *yaml.Node {
	c := *resolved(root, n)
	content := c.Content
	c.Content = make([]*yaml.Node, 0, len(content))
	for i := 0; i < len(content); i++ {
		if c.Kind == yaml.MappingNode && i%2 == 0 && content[i].Value == "example" {
			i++
			continue
		}
		c.Content = append(c.Content, standalone(root, content[i]))
	}
	return &c
}

func isTrue(n *yaml.Node) bool { return n != nil && n.Value == "true" }

// toJSON returns a part of a document as JSON.
func toJSON(part *yaml.Node) []byte {
	var r field.Reading
	text := fixtures.YAMLToJSON(part, &r)
	if len(r.Problems) > 0 {
		panic(r.Problems[0].Message) // cannot happen: a test converts both embedded documents
	}
	return text
}
