package docs

import (
	"bytes"
	"fmt"
	"strings"
)

// HTTP returns a .http file with a request for each operation. Visual Studio Code (with the
// extension REST Client) and the JetBrains editors can send these requests.
func (d *Document) HTTP(now Now) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A request for each operation of the Petstore sandbox.\n\n@baseUrl = %s\n@key = %s\n", now.Server, exampleKey(now))
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
