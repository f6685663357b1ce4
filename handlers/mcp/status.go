package mcp

import (
	"bytes"
	"net/url"

	"github.com/go-json-experiment/json"

	"example.com/petstore/handlers/sandbox"
)

// addresses are where a sandbox is to be found.
type addresses struct {
	Service   string `json:"service"`
	Document  string `json:"openapi"`
	Docs      string `json:"docs"`
	Dashboard string `json:"dashboard"`
}

// status adds the addresses of the sandbox to what the control plane tells of it.
var status = special{
	finish: func(who *caller, result []byte) []byte {
		var known struct {
			Sandbox string `json:"sandbox"`
		}
		if json.Unmarshal(result, &known) != nil {
			return result
		}
		base := who.root
		if known.Sandbox != sandbox.Default {
			base += "/sandboxes/" + url.PathEscape(known.Sandbox)
		}
		text, err := json.Marshal(addresses{base, base + "/openapi.json", base + "/docs/", base + "/"})
		if err != nil {
			return result
		}
		rest := bytes.TrimPrefix(result, []byte("{"))
		return bytes.Join([][]byte{[]byte(`{"addresses":`), text, []byte(","), rest}, nil)
	},
}
