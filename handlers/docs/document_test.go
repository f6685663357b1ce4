package docs

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

const small = `# kept in the file
openapi: 3.0.3
servers: [{url: 'http://127.0.0.1:8080'}]
paths:
  /b:
    parameters: []
    get:
      operationId: getB
      deprecated: true
      x-sunset: '2030-12-31'
      x-deprecated-sunset: '2030-12-31'
      example: {date: 2026-01-02T03:04:05Z, day: 2026-01-02, on: true, none: null, number: 1.50, 200: text}
  /a:
    post: {operationId: postA, x-stability: beta, x-hideTryItPanel: true}
`

// TestLifecyclesAreFilledIn checks that a document has the current lifecycles, and that the next
// document starts from the file again.
func TestLifecyclesAreFilledIn(t *testing.T) {
	t.Parallel()
	d := newDocument([]byte(small))
	swapped := func(id string) lifecycle.Lifecycle {
		if id == "getB" {
			return lifecycle.Lifecycle{Stability: lifecycle.Experimental}
		}
		// In UTC, this is the next day.
		sunset := time.Date(2031, time.January, 31, 23, 0, 0, 0, time.FixedZone("", -3*3600))
		return lifecycle.Lifecycle{Deprecated: true, Sunset: sunset}
	}
	text := d.JSON(Now{Server: "https://petstore.example/x", Lifecycle: swapped})
	want := `{"openapi":"3.0.3","servers":[{"url":"https://petstore.example/x"}],"paths":{` +
		`"/b":{"parameters":[],"get":{"operationId":"getB","example":{"date":"2026-01-02T03:04:05Z","day":"2026-01-02","on":true,"none":null,"number":1.50,"200":"text"},"x-stability":"experimental"}},` +
		`"/a":{"post":{"operationId":"postA","x-hideTryItPanel":true,"deprecated":true,"x-deprecated-sunset":"2031-02-01","x-sunset":"2031-02-01"}}}}`
	if got := string(bytes.TrimSpace(text)); got != want {
		t.Errorf("JSON =\n%s\nwant\n%s", got, want)
	}

	again := d.JSON(Now{Server: "http://127.0.0.1:8080"})
	want = `{"openapi":"3.0.3","servers":[{"url":"http://127.0.0.1:8080"}],"paths":{` +
		`"/b":{"parameters":[],"get":{"operationId":"getB","deprecated":true,"x-sunset":"2030-12-31","x-deprecated-sunset":"2030-12-31","example":{"date":"2026-01-02T03:04:05Z","day":"2026-01-02","on":true,"none":null,"number":1.50,"200":"text"}}},` +
		`"/a":{"post":{"operationId":"postA","x-stability":"beta","x-hideTryItPanel":true}}}}`
	if got := string(bytes.TrimSpace(again)); got != want {
		t.Errorf("the second document is\n%s\nwant\n%s", got, want)
	}
}

// TestDocumentsOfKeyedServer checks that the document of a server with keys makes the key
// mandatory, except for operations that require none.
func TestDocumentsOfKeyedServer(t *testing.T) {
	t.Parallel()
	d := newDocument([]byte(`paths:
  /a:
    get: {operationId: open, security: []}
    put: {operationId: either, security: [{}, {key: []}]}
    post: {operationId: closed, security: [{key: []}]}
    patch: {operationId: silent}
`))
	for keyed, want := range map[bool]string{
		true:  `{"paths":{"/a":{"get":{"operationId":"open","security":[]},"put":{"operationId":"either","security":[{"key":[]}]},"post":{"operationId":"closed","security":[{"key":[]}]},"patch":{"operationId":"silent"}}}}`,
		false: `{"paths":{"/a":{"get":{"operationId":"open","security":[]},"put":{"operationId":"either","security":[{},{"key":[]}]},"post":{"operationId":"closed","security":[{"key":[]}]},"patch":{"operationId":"silent"}}}}`,
	} {
		text := d.JSON(Now{Keyed: keyed})
		if got := string(bytes.TrimSpace(text)); got != want {
			t.Errorf("keyed %t:\n%s, want\n%s", keyed, got, want)
		}
	}
}

// TestDocumentsOfPrivateSandbox checks that the document of a private sandbox makes the key
// mandatory, except for operations of the whole server, and marks the security scheme as private.
func TestDocumentsOfPrivateSandbox(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"{paths: {/a: {get: {operationId: either, security: [{}, {key: []}]}}}, components: {securitySchemes: " +
			"{bearerAuth: {type: http}}}}": `{"paths":{"/a":{"get":{"operationId":"either","security":[{"key":[]}]}}},"components":{"securitySchemes":{"bearerAuth":{"type":"http","x-private":true}}}}`,
		"{paths: {/a: {get: {operationId: whole, security: [{}, {adminKey: []}]}, put: {operationId: its, security: " +
			"[{}, {adminKey: []}, {sandboxKey: []}]}}}}": `{"paths":{"/a":{"get":{"operationId":"whole","security":[{},{"adminKey":[]}]},"put":{"operationId":"its","security":[{"adminKey":[]},{"sandboxKey":[]}]}}}}`,
		"{paths: {}, components: {securitySchemes: {adminKey: {type: http}}}}": `{"paths":{},"components":{"securitySchemes":{"adminKey":{"type":"http"}}}}`,
	} {
		text := newDocument([]byte(source)).JSON(Now{Private: true})
		if got := string(bytes.TrimSpace(text)); got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
	}
}

// TestEmbeddedDocumentsParse checks that newDocument does not panic.
func TestEmbeddedDocumentsParse(t *testing.T) {
	t.Parallel()
	for _, d := range []*Document{Service(), Admin()} {
		if text := d.JSON(Now{}); !json.Valid(text) {
			t.Errorf("%.100s", text)
		}
	}
}
