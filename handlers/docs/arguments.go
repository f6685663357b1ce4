package docs

import (
	"net/http"
	"path"
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
	root := d.root()
	for o := range operations(root) {
		if o.id == operationID {
			r := Request{Method: o.method, Path: o.path}
			r.addParameters(root, o.parameters(root))
			r.addBody(root, child(o.Node, "requestBody"))
			return r
		}
	}
	panic("docs: no operation has the id " + operationID)
}

// addParameters adds path and query parameters.
func (r *Request) addParameters(root *yaml.Node, parameters []*yaml.Node) {
	for _, p := range parameters {
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
	required := elements(child(schema, "required"))
	for name, property := range members(child(schema, "properties")) {
		isName := func(n *yaml.Node) bool { return n.Value == name }
		r.Arguments = append(r.Arguments, Argument{
			Name: name, In: "body", Schema: toJSON(property), Required: slices.ContainsFunc(required, isName),
		})
	}
}

// Collection describes the operations on the records of one noun: the operation that lists the
// records, and the operation that reads one record.
type Collection struct {
	Name      string // the last segment of the collection's path
	List, One string // operationIds
	ID        string // the path parameter of One
}

// Collections returns a collection for each path whose GET has an operationId that starts with
// list, in the document's order. The document must have the path of one record after the path of its
// collection and before the next collection.
func (d *Document) Collections() (all []Collection) {
	var at string // the path of the last collection
	for o := range operations(d.root()) {
		id, isRecord := strings.CutPrefix(o.path, at+"/{")
		switch {
		case o.method != http.MethodGet:
		case strings.HasPrefix(o.id, "list"):
			at = o.path
			all = append(all, Collection{Name: path.Base(at), List: o.id})
		case isRecord && !strings.Contains(id, "/"):
			last := &all[len(all)-1]
			last.One, last.ID = o.id, strings.TrimSuffix(id, "}")
		}
	}
	return all
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
// keyword example, which JSON Schema lacks. It terminates because no request schema refers to itself.
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
