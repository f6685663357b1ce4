package mcp

import (
	"bytes"

	"github.com/go-json-experiment/json"
)

// addresses are the URLs of a sandbox.
type addresses struct {
	Service   string `json:"service"`
	Document  string `json:"openapi"`
	Docs      string `json:"docs"`
	Dashboard string `json:"dashboard"`
}

// status adds the sandbox's URLs to its summary.
var status = special{
	finish: func(who *caller, _ values, result []byte) ([]byte, error) {
		var known struct {
			Sandbox string `json:"sandbox"`
		}
		if err := json.Unmarshal(result, &known); err != nil {
			return nil, err
		}
		base := who.address(known.Sandbox)
		text, err := json.Marshal(addresses{base, base + "/openapi.json", base + "/docs/", base + "/"})
		if err != nil {
			return nil, err
		}
		rest := bytes.TrimPrefix(result, []byte("{"))
		return bytes.Join([][]byte{[]byte(`{"addresses":`), text, []byte(","), rest}, nil), nil
	},
}
