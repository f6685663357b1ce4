package docs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
)

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
