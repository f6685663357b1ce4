package contracttest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// CommonScenarios returns scenarios of every operation of the document that takes an id, a page, a
// body, a precondition or a key. A new operation needs no line here.
func CommonScenarios(d *Document) []Scenario {
	var all []Scenario
	for path, item := range d.Paths.Map() {
		for method, op := range item.Operations() {
			takes := make(map[string]bool) // the parameters
			id := ""                       // the integer in the path
			for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
				takes[ref.Value.Name] = true
				if ref.Value.In == openapi3.ParameterInPath && ref.Value.Schema.Value.Type.Is("integer") {
					id = ref.Value.Name
				}
			}
			good := Request{Method: method, Path: Address(path), Header: make(http.Header)}
			if bodies := ExampleBodies(op); len(bodies) > 0 {
				good.Body = bodies[0]
			}
			secret := !slices.ContainsFunc(*op.Security,
				func(s openapi3.SecurityRequirement) bool { return len(s) == 0 }) && len(*op.Security) > 0
			if secret {
				good.Header = DemoKey
			}
			bad := func(name string, change func(r *Request), status int, code string, fields ...string) {
				r := good
				r.Header = good.Header.Clone()
				change(&r)
				all = append(all, Refused(op.OperationID+" "+name, r, status, code, fields...))
			}
			last := func() *Scenario { return &all[len(all)-1] }
			if id != "" {
				with := func(value string) func(*Request) {
					return func(r *Request) { r.Path = Address(strings.Replace(path, "{"+id+"}", value, 1)) }
				}
				bad("with a wrong id", with("x"), 400, "invalid_parameter", id)
				bad("of a missing record", with("99"), 404, "not_found")
			}
			if takes["limit"] {
				bad("with a bad parameter", func(r *Request) { r.Path += "?limit=0" }, 400, "invalid_parameter",
					"limit")
			}
			if strings.HasPrefix(good.Body, "[") {
				bad("of an object", func(r *Request) { r.Body = "{}" }, 400, "invalid_json")
			} else if good.Body != "" {
				bad("of a list", func(r *Request) { r.Body = "[" + r.Body + "]" }, 400, "invalid_json")
			}
			if good.Body != "" {
				bad("of text", func(r *Request) { r.Header.Set("Content-Type", "text/plain") }, 415,
					"unsupported_media_type")
			}
			if fields, ok := strings.CutSuffix(good.Body, "}"); ok {
				comma := strings.Repeat(",", min(1, len(fields)-1)) // unless there are no fields
				bad("with an unknown field", func(r *Request) { r.Body = fields + comma + `"unknown":1}` }, 400,
					"validation_failed", "/unknown")
				last().Config, last().Before = Strict, []Request{Post("/pets", NewPet)} // examples name this pet
			}
			bad("with an unknown parameter", func(r *Request) { r.Path += "?unknown=1" }, 400, "invalid_parameter",
				"unknown")
			last().Config = Strict
			if takes["If-Match"] {
				bad("with another tag", func(r *Request) { r.Header.Set("If-Match", `"stale"`) }, 412,
					"precondition_failed", "If-Match")
			}
			if secret {
				bad("without a key", func(r *Request) { r.Header.Del("Authorization") }, 401, "unauthorized")
			}
		}
	}
	return all
}

// ExampleBodies returns the bodies that the document shows, in the order of their names.
func ExampleBodies(op *openapi3.Operation) []string {
	if op.RequestBody == nil {
		return nil
	}
	var all []string
	examples := op.RequestBody.Value.Content.Get("application/json").Examples
	for _, name := range slices.Sorted(maps.Keys(examples)) {
		body, err := json.Marshal(examples[name].Value.Value)
		if err != nil {
			panic(err) // cannot happen: the value was decoded from a document
		}
		all = append(all, string(body))
	}
	return all
}
