package mcp

import (
	"fmt"

	"github.com/go-json-experiment/json"
)

// status is a tool that returns the sandbox's summary. It adds the URLs of the sandbox.
var status = special{finish: func(who *caller, _ values, result []byte) ([]byte, error) {
	var known struct {
		Sandbox string `json:"sandbox"`
	}
	if err := json.Unmarshal(result, &known); err != nil {
		return nil, err
	}
	base := who.address(known.Sandbox)
	return fmt.Appendf(nil, `{"addresses":{"service":%q,"openapi":%q,"docs":%q,"dashboard":%q},%s`,
		base, base+"/openapi.json", base+"/docs/", base+"/", result[1:]), nil
}}
