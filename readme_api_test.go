package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// compareLists reports items that are in only one of the two lists.
func compareLists(t *testing.T, gotName string, got []string, wantName string, want []string) {
	t.Helper()
	for _, item := range got {
		if !slices.Contains(want, item) {
			t.Errorf("%s has %q, %s has not", gotName, item, wantName)
		}
	}
	for _, item := range want {
		if !slices.Contains(got, item) {
			t.Errorf("%s has %q, %s has not", wantName, item, gotName)
		}
	}
}

// apiOperation has the fields of an operation of the document that the test reads.
type apiOperation struct {
	OperationID string `json:"operationId"`
	Deprecated  bool
	Stability   string `json:"x-stability"`
}

// described returns the operations of the two documents in the format of the table.
// Operations of the service have the names that fault rules and the journal use.
func described(t *testing.T) []string {
	t.Helper()
	p := programtest.StartPetstore(t)
	var all []string
	for _, name := range []string{"/openapi.json", "/admin/openapi.json"} {
		var document struct {
			Paths map[string]map[string]json.RawMessage
		}
		if err := json.Unmarshal([]byte(programtest.Get(t, p.URL+name).Body), &document); err != nil {
			t.Fatal(err)
		}
		for path, item := range document.Paths {
			for method, raw := range item {
				if !slices.Contains([]string{"get", "put", "post", "patch", "delete"}, method) {
					continue // parameters of all methods
				}
				var operation apiOperation
				if err := json.Unmarshal(raw, &operation); err != nil {
					t.Fatal(err)
				}
				line := fmt.Sprintf("%s `%s`", path, strings.ToUpper(method))
				if name == "/openapi.json" {
					line += " " + operation.OperationID
				}
				if operation.Deprecated {
					line += " (deprecated)"
				}
				if operation.Stability != "" {
					line += " (" + operation.Stability + ")"
				}
				all = append(all, line)
			}
		}
	}
	return all
}

func TestAPITable(t *testing.T) {
	t.Parallel()
	var got []string
	for _, name := range []string{"handlers/README.md", "handlers/admin/README.md"} {
		for _, row := range table(t, name, "| path | methods | what it is |") {
			for method := range strings.SplitSeq(row[1], ", ") {
				got = append(got, strings.Trim(row[0], "`")+" "+method)
			}
		}
	}
	want := described(t)
	if len(want) < 25 {
		t.Fatalf("the documents have %d operations", len(want))
	}
	compareLists(t, "the tables of the API", got, "OpenAPI", want)
}
