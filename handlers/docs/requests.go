package docs

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// exampleRequest is a request for an operation, made from the examples in the OpenAPI document.
type exampleRequest struct {
	tag, id, summary string
	method           string // such as GET
	path             string // with parameters in braces
	parameters       []exampleParameter
	body             string // JSON indented by two spaces, or ""
	takesKey         bool
}

type exampleParameter struct{ name, value string }

// exampleRequests returns a request for each operation, in the document's order except that
// deletions come last. A user can therefore send all requests from first to last.
func (d *Document) exampleRequests() (all []exampleRequest) {
	root := d.parse().Content[0]
	paths := child(root, "paths")
	var deletions []exampleRequest
	for i := 0; i < len(paths.Content); i += 2 {
		item := paths.Content[i+1]
		for j := 0; j < len(item.Content); j += 2 {
			operation := item.Content[j+1]
			id := child(operation, "operationId")
			if id == nil {
				continue
			}
			r := exampleRequest{
				tag: child(operation, "tags").Content[0].Value, id: id.Value,
				summary: child(operation, "summary").Value,
				method:  strings.ToUpper(item.Content[j].Value), path: paths.Content[i].Value,
				body: exampleBody(root, operation),
			}
			r.addParameters(root, child(item, "parameters"))
			r.addParameters(root, child(operation, "parameters"))
			security := child(operation, "security")
			r.takesKey = security != nil && len(security.Content) > 0
			if r.method == "DELETE" {
				deletions = append(deletions, r)
			} else {
				all = append(all, r)
			}
		}
	}
	return append(all, deletions...)
}

// addParameters adds those parameters that are path parameters.
func (r *exampleRequest) addParameters(root, parameters *yaml.Node) {
	if parameters == nil {
		return
	}
	for _, p := range parameters.Content {
		if p = resolved(root, p); child(p, "in").Value == "path" {
			r.parameters = append(r.parameters, exampleParameter{child(p, "name").Value, child(p, "example").Value})
		}
	}
}

// exampleBody returns the first example of an operation's JSON body.
func exampleBody(root, operation *yaml.Node) string {
	body := child(operation, "requestBody")
	if body == nil {
		return ""
	}
	examples := child(child(child(body, "content"), "application/json"), "examples")
	value := child(resolved(root, examples.Content[1]), "value")
	text, err := jsontext.AppendFormat(nil, toJSON(value), jsontext.WithIndent("  "))
	if err != nil {
		panic(err) // cannot happen: toJSON returns JSON
	}
	return strings.TrimSpace(string(text))
}

// exampleKey returns a key that the service accepts, or a placeholder if the key is secret.
func exampleKey(now Now) string {
	if now.Keyed || now.Private {
		return "YOUR-KEY"
	}
	return "demo-key"
}

// HTTP returns a .http file with a request for each operation. Visual Studio Code (with the
// extension REST Client) and the JetBrains editors can send these requests.
func (d *Document) HTTP(now Now) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A request for each operation of the Petstore sandbox.\n\n@baseUrl = %s\n@key = %s\n", now.Server,
		exampleKey(now))
	for _, r := range d.exampleRequests() {
		path := r.path
		for _, p := range r.parameters {
			path = strings.ReplaceAll(path, "{"+p.name+"}", p.value)
		}
		fmt.Fprintf(&b, "\n### %s: %s\n# @name %s\n%s {{baseUrl}}%s\n", r.tag, r.summary, r.id, r.method, path)
		if r.takesKey {
			b.WriteString("Authorization: Bearer {{key}}\n")
		}
		if r.body != "" {
			fmt.Fprintf(&b, "Content-Type: application/json\n\n%s\n", r.body)
		}
	}
	return b.Bytes(), nil
}
