package handlers_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// serviceScenarios are the scenarios of the service's operations.
func serviceScenarios() []Scenario {
	return slices.Concat(
		petScenarios(), categoryScenarios(), orderScenarios(), inventoryScenarios(), messageScenarios(),
		healthScenarios(), eventScenarios(), commonScenarios(),
	)
}

func TestServiceScenariosAreComplete(t *testing.T) {
	t.Parallel()
	Complete(t, ServiceDocument(), serviceScenarios(), "../testdata/transcripts")
}

func TestCommonScenarios(t *testing.T) { RunScenarios(t, commonScenarios()) }

// commonScenarios returns, by the document, scenarios of every operation that takes an id, a page,
// a body, a precondition or a key. A new noun needs no line here.
func commonScenarios() []Scenario {
	var all []Scenario
	for path, item := range ServiceDocument().Paths.Map() {
		for method, op := range item.Operations() {
			takes := make(map[string]bool) // the parameters
			for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
				takes[ref.Value.Name] = true
			}
			good := Request{Method: method, Path: Address(path), Header: make(http.Header)}
			if bodies := exampleBodies(op); len(bodies) > 0 {
				good.Body = bodies[0]
			}
			secret := !slices.ContainsFunc(*op.Security, func(s openapi3.SecurityRequirement) bool { return len(s) == 0 }) && len(*op.Security) > 0
			if secret {
				good.Header = DemoKey
			}
			bad := func(name string, change func(r *Request), status int, code string, fields ...string) {
				r := good
				r.Header = good.Header.Clone()
				change(&r)
				all = append(all, Refused(op.OperationID+" "+name, r, status, code, fields...))
			}
			if id := regexp.MustCompile(`\{(\w+)\}`).FindStringSubmatch(path); id != nil {
				bad("of a wrong id", func(r *Request) { r.Path = strings.Replace(path, id[0], "x", 1) }, 400, "invalid_parameter", id[1])
				bad("of none", func(r *Request) { r.Path = strings.Replace(path, id[0], "99", 1) }, 404, "not_found")
			}
			if takes["limit"] {
				bad("with a bad parameter", func(r *Request) { r.Path += "?limit=0" }, 400, "invalid_parameter", "limit")
			}
			if good.Body != "" {
				bad("of a list", func(r *Request) { r.Body = "[" + r.Body + "]" }, 400, "invalid_json")
			}
			if takes["If-Match"] {
				bad("of what has changed", func(r *Request) { r.Header.Set("If-Match", `"stale"`) }, 412, "precondition_failed", "If-Match")
			}
			if secret {
				bad("without a key", func(r *Request) { r.Header.Del("Authorization") }, 401, "unauthorized")
			}
		}
	}
	return all
}

// exampleBodies returns the bodies that the document shows, in the order of their names.
func exampleBodies(op *openapi3.Operation) []string {
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

func TestMain(m *testing.M) { Main(browsertest.Closing(m)) }
