package docs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// exampleRequest is a request for an operation, made from the examples in the OpenAPI document.
type exampleRequest struct {
	operation
	tag, summary string
	inPath       []exampleParameter // the parameters in the path
	body         string             // JSON indented by two spaces, or ""
	takesKey     bool
}

type exampleParameter struct{ name, value string }

// exampleRequests returns a request for each operation, in the document's order except that
// deletions come last. A user can therefore send all requests from first to last.
func (d *Document) exampleRequests() []exampleRequest {
	root := d.root()
	var all, deletions []exampleRequest
	for o := range operations(root) {
		r := exampleRequest{
			operation: o, tag: child(o.Node, "tags").Content[0].Value, summary: child(o.Node, "summary").Value,
			body: exampleBody(root, o.Node), takesKey: len(elements(child(o.Node, "security"))) > 0,
		}
		for _, p := range o.parameters(root) {
			if child(p, "in").Value == "path" {
				r.inPath = append(r.inPath, exampleParameter{child(p, "name").Value, child(p, "example").Value})
			}
		}
		if r.method == http.MethodDelete {
			deletions = append(deletions, r)
		} else {
			all = append(all, r)
		}
	}
	return append(all, deletions...)
}

// exampleBody returns the first example of an operation's JSON body, or "" if there is no body.
func exampleBody(root, operation *yaml.Node) string {
	body := child(child(operation, "requestBody"), "content")
	if body == nil {
		return ""
	}
	examples := child(child(body, "application/json"), "examples")
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
func (d *Document) HTTP(now Now) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A request for each operation of the Petstore sandbox.\n\n@baseUrl = %s\n@key = %s\n", now.Server,
		exampleKey(now))
	for _, r := range d.exampleRequests() {
		path := r.path
		for _, p := range r.inPath {
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
	return b.Bytes()
}

// brunoCollection is the content of the file bruno.json, which Bruno requires.
const brunoCollection = `{
  "version": "1",
  "name": "Petstore sandbox",
  "type": "collection"
}
`

// Bruno returns a ZIP file that contains a Bruno collection with a request for each operation. The
// collection has a folder for each tag. Its environment "sandbox" contains the base URL and an
// example key.
func (d *Document) Bruno(now Now) []byte {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	add := func(name, text string) { // writing to a buffer cannot fail
		file, _ := archive.Create("petstore/" + name)
		_, _ = io.WriteString(file, text)
	}
	add("bruno.json", brunoCollection)
	add("environments/sandbox.bru",
		fmt.Sprintf("vars {\n  baseUrl: %s\n  key: %s\n}\n", now.Server, exampleKey(now)))
	for i, r := range d.exampleRequests() {
		add(fmt.Sprintf("%s/%s.bru", r.tag, r.id), r.bruno(i+1))
	}
	_ = archive.Close()
	return b.Bytes()
}

// bruno returns the request as a Bruno file.
func (r *exampleRequest) bruno(position int) string {
	var b strings.Builder
	body, auth, path := "none", "none", r.path
	if r.body != "" {
		body = "json"
	}
	if r.takesKey {
		auth = "bearer"
	}
	for _, p := range r.inPath {
		path = strings.ReplaceAll(path, "{"+p.name+"}", ":"+p.name)
	}
	fmt.Fprintf(&b, "meta {\n  name: %s\n  type: http\n  seq: %d\n}\n\n", r.summary, position)
	fmt.Fprintf(&b, "%s {\n  url: {{baseUrl}}%s\n  body: %s\n  auth: %s\n}\n", strings.ToLower(r.method), path, body,
		auth)
	if len(r.inPath) > 0 {
		b.WriteString("\nparams:path {\n")
		for _, p := range r.inPath {
			fmt.Fprintf(&b, "  %s: %s\n", p.name, p.value)
		}
		b.WriteString("}\n")
	}
	if r.takesKey {
		b.WriteString("\nauth:bearer {\n  token: {{key}}\n}\n")
	}
	if r.body != "" {
		fmt.Fprintf(&b, "\nbody:json {\n  %s\n}\n", strings.ReplaceAll(r.body, "\n", "\n  "))
	}
	return b.String()
}
