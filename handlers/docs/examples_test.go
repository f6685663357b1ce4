package docs_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

// shopText is the data that the examples of the documents describe.
var shopText = `{
	"categories": [
		{"id": 1, "name": "Dogs", "description": "Loyal, loud and always hungry"}, {"id": 2, "name": "Cats"}, {"id": 3, "name": "Parrots"},
		{"id": 9, "name": "Reptiles", "description": "Geckos, tortoises and other scaly friends"}, {"id": 10, "name": "Birds"}
	],
	"pets": [
		{"id": 7, "name": "Rex", "categoryId": 1, "status": "available"}, {"id": 12, "name": "Misty", "categoryId": 2, "status": "pending"}
		` + parrots(14) + `
	],
	"inventory": [{"petId": 7, "quantity": 24}],
	"orders": [{"id": 12, "petId": 7, "quantity": 2, "shipDate": "2026-03-14T09:30:00Z"}, {"id": 13}],
	"messages": [{"id": 1, "message": "Is Rex still available?", "createdAt": "2026-03-14T09:30:00Z"}]
}`

func parrots(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf(`, {"id": %d, "name": "Polly", "categoryId": 3}`, 20+i)
	}
	return text
}

// shop configures the server with the data and the date of the examples.
func shop(c *handlers.Config) {
	c.Baseline = decodedState(shopText)
	c.Now = func() time.Time { return time.Date(2026, time.March, 14, 9, 30, 0, 0, time.UTC) }
	c.Version = "1.0.0"
}

// starting configures the shop with other data.
func starting(text string) func(*handlers.Config) {
	return shopWith(func(c *handlers.Config) { c.Baseline = decodedState(text) })
}

func decodedState(text string) *store.State {
	state, err := fixtures.Decode([]byte(text))
	if err != nil {
		panic(err)
	}
	return state
}

// provocation is a request whose response must equal an example.
type provocation struct {
	config func(*handlers.Config) // shop if nil
	before []Request              // requests that must succeed before
	Request
	by func(*testing.T, *World) *Answer // if not nil, replaces the request
}

// shopWith configures the shop with a change.
func shopWith(change func(*handlers.Config)) func(*handlers.Config) {
	return func(c *handlers.Config) { shop(c); change(c) }
}

// TestExamplesMatchResponses checks that every example response in the documents equals a response of
// the server, so that clients can rely on the examples.
func TestExamplesMatchResponses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		document     *Document
		provocations map[string]provocation
		file         string
	}{
		"service": {ServiceDocument(), serviceExamples(), "examples_service_test.go"},
		"admin":   {AdminDocument(), adminExamples(), "examples_admin_test.go"},
	} {
		examples := answersOf(t, c.document)
		for key := range c.provocations {
			if _, ok := examples[key]; !ok {
				t.Errorf("the document of %s has no example %s any more", name, key)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(examples)) {
			t.Run(name+"/"+key, func(t *testing.T) {
				t.Parallel()
				p, ok := c.provocations[key]
				if !ok {
					t.Fatalf("no request in %s provokes this example", c.file)
				}
				p.run(t, examples[key])
			})
		}
	}
}

func (p *provocation) run(t *testing.T, want example) {
	config := p.config
	if config == nil {
		config = shop
	}
	w := NewWorld(t, config)
	for _, r := range p.before {
		w.Must(t, r)
	}
	var a *Answer
	if p.by != nil {
		a = p.by(t, w)
	} else {
		a = w.Do(t, p.Request)
	}
	if a.Status != want.status {
		t.Fatalf("status = %d, want %d; body %s", a.Status, want.status, a.Body)
	}
	shown, got := JSONValue(t, figureless(want.body)), JSONValue(t, figureless(a.Body))
	forget(shown, "uptimeSeconds", "durationMs", "memory") // these values vary
	forget(got, "uptimeSeconds", "durationMs", "memory")
	if diff := cmp.Diff(shown, got); diff != "" {
		t.Errorf("-example +wire:\n%s", diff)
	}
}

// figureless removes the suggested memory, which depends on the memory that other tests use.
func figureless(body []byte) []byte {
	return regexp.MustCompile(`--max-memory \d+MiB`).ReplaceAll(body, []byte("--max-memory N"))
}

// forget removes the fields from every object in the JSON value.
func forget(value any, fields ...string) {
	switch value := value.(type) {
	case map[string]any:
		for _, field := range fields {
			delete(value, field)
		}
		for _, child := range value {
			forget(child, fields...)
		}
	case []any:
		for _, child := range value {
			forget(child, fields...)
		}
	}
}

// example is a response in a document.
type example struct {
	status int
	body   []byte
}

// answersOf returns the document's JSON examples of responses. Shared responses are keyed by the
// name of their component, others by operation and status.
func answersOf(t *testing.T, d *Document) map[string]example {
	t.Helper()
	examples := make(map[string]example)
	for _, item := range d.Paths.Map() {
		for _, op := range item.Operations() {
			for status, response := range op.Responses.Map() {
				place := op.OperationID + "/" + status
				if response.Ref != "" {
					place = path.Base(response.Ref)
				}
				media := response.Value.Content["application/json"]
				if media == nil {
					continue
				}
				if len(media.Examples) == 0 {
					t.Errorf("%s %s has no example", op.OperationID, status)
				}
				for name, ref := range media.Examples {
					examples[place+"/"+name] = newExample(t, status, ref)
				}
			}
		}
	}
	return examples
}

func newExample(t *testing.T, status string, ref *openapi3.ExampleRef) example {
	t.Helper()
	e := example{body: must.Get(json.Marshal(ref.Value.Value))(t)}
	if object, ok := ref.Value.Value.(map[string]any); ok && object["code"] != nil {
		e.status = int(object["status"].(float64))
	} else if _, err := fmt.Sscan(status, &e.status); err != nil {
		t.Fatal(err)
	}
	return e
}

// breakDown returns the response to a defect of the server. No request causes one, so a failing
// handler replaces an operation.
func breakDown(t *testing.T, _ *World) *Answer {
	t.Helper()
	recorder := httptest.NewRecorder()
	defect := func(*rest.Exchange) error { return errors.New("a defect") }
	_ = middleware.AnswerErrors(slog.New(slog.DiscardHandler), metrics.NewRequests())(rest.Unmatched,
		defect)(rest.NewExchange(new(rest.Server), recorder, httptest.NewRequest(http.MethodGet, "/pets", nil)))
	return &Answer{Status: recorder.Code, Header: recorder.Header(), Body: recorder.Body.Bytes()}
}

// repeated returns n copies of the request.
func repeated(n int, r Request) []Request { return slices.Repeat([]Request{r}, n) }

// restocked returns n writes that change the data but no counts.
func restocked(n int) []Request {
	var writes []Request
	for i := range n {
		writes = append(writes, Put("/store/inventory/7", fmt.Sprintf(`{"quantity": %d}`, 101+i)))
	}
	return writes
}

// listOf returns a JSON array with n copies of the value.
func listOf(n int, value string) string {
	return "[" + strings.Join(slices.Repeat([]string{value}, n), ",") + "]"
}
