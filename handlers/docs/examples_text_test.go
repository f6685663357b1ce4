package docs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tmaxmax/go-sse"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// textExample returns an example of the operation's response that is not JSON.
func textExample(t *testing.T, d *Document, path, media, name string) string {
	t.Helper()
	example := d.Paths.Value(path).Get.Responses.Status(200).Value.Content[media].Examples[name]
	if example == nil {
		t.Fatalf("%s has no example %s of %s", path, name, media)
	}
	return example.Value.Value.(string)
}

// TestJUnitExampleMatchesResponse checks the example of a report as TestExamplesMatchResponses does.
func TestJUnitExampleMatchesResponse(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, shop)
	call := Get("/pets/7").With("User-Agent", "shop-app/2.1").With("X-Client", "web")
	at := func(time string) Request {
		return Put("/admin/clock", `{"now": "2026-03-14T`+time+`Z", "frozen": true}`)
	}
	for _, r := range append(repeated(13, call), at("09:41:12"), call, at("09:42:00")) {
		w.Must(t, r)
	}
	want := textExample(t, AdminDocument(), "/admin/report", "application/xml", "used")
	if diff := cmp.Diff(want, string(w.Get(t, "/admin/report?format=junit").Body)); diff != "" {
		t.Errorf("-example +wire:\n%s", diff)
	}
}

// TestStreamExamplesMatchEvents checks the examples of event streams as TestExamplesMatchResponses does.
func TestStreamExamplesMatchEvents(t *testing.T) {
	t.Parallel()
	sale := starting(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "Rex", ` +
		`"categoryId": 1}], "next": {"order": 51}}`)
	for _, c := range []struct {
		document   *Document
		path, name string
		config     func(*handlers.Config)
		before     int // number of requests before the stream
		writes     []Request
	}{
		{ServiceDocument(), "/events", "sale", sale, 39,
			[]Request{Post("/store/orders", `{"petId": 7}`), Patch("/pets/7", `{"status": "sold"}`)}},
		{AdminDocument(), "/admin/events", "some", generated, 40,
			[]Request{Post("/pets", `{"name": "Rex", "categoryId": 1}`).With("User-Agent", "shop-app/2.1").
				With("Host", "localhost:8080")}},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t, c.config)
			for range c.before {
				w.Get(t, "/pets")
			}
			stream := w.Listen(t, c.path, http.Header{"User-Agent": {"shop-app/2.1"}})
			for _, r := range c.writes {
				w.Must(t, r)
			}
			for shown, err := range sse.Read(
				strings.NewReader(textExample(t, c.document, c.path, "text/event-stream", c.name)), nil) {
				if err != nil {
					t.Fatal(err)
				}
				want, got := constantFields(t, shown), constantFields(t, <-stream.Events)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-example +wire:\n%s", diff)
				}
			}
		})
	}
}

// constantFields returns the id, name and data of an event, without values that vary.
func constantFields(t *testing.T, e sse.Event) map[string]any {
	t.Helper()
	data := JSONValue(t, []byte(e.Data))
	forget(data, "durationMs")
	return map[string]any{"id": e.LastEventID, "name": e.Type, "data": data}
}

// TestMetricsExampleHasEveryFamily checks that the example has every metric family, with the type
// and help text of the server.
func TestMetricsExampleHasEveryFamily(t *testing.T) {
	t.Parallel()
	w := NewWorld(t,
		shopWith(func(c *handlers.Config) { c.Connections = func() admin.Connections { return admin.Connections{} } }))
	families := func(text string) (lines []string) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "# ") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	want := textExample(t, AdminDocument(), "/metrics", "text/plain", "started")
	if diff := cmp.Diff(families(want), families(string(w.Get(t, "/metrics").Body))); diff != "" {
		t.Errorf("-example +wire:\n%s", diff)
	}
}

// worldExamples returns requests for the examples of worlds in admin.yaml.
func worldExamples() map[string]provocation {
	keep, sale := Put("/admin/snapshots/before-the-sale", ""), Patch("/admin/data/pets/7", `{"status": "sold"}`)
	frozen := Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	fault := Post("/admin/faults", `{"match": {"operationId": "createPet"}, "times": 2, "status": 503}`)
	lesson := []Request{keep, sale, Delete("/admin/data/store/orders/12"), frozen, fault}
	const small = `{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 1, "name": "Rex", "categoryId": 1}]}`
	const ofOther = `{"format": 1, "generator": "0123456789ab", "generated": {"pets": 100, "categories": 8, ` +
		`"orders": 50}, "state": {}}`
	withoutPet := `{"format": 1, "generator": "` + fixtures.Generator +
		`", "generated": {"pets": 100, "categories": 8, "orders": 50},
		"state": {}, "snapshots": [{"name": "before", "createdAt": "2026-03-14T09:30:00Z", "state": {"removed": {"pets": [7, 999]}}}]}`
	return map[string]provocation{
		"exportWorld/200/lesson":  {config: generated, before: lesson, Request: Get("/admin/world")},
		"exportWorld/200/small":   {config: starting(small), Request: Get("/admin/world")},
		"BadWorld/unknownPet":     {config: generated, Request: Put("/admin/world", withoutPet)},
		"BadWorld/noWorld":        {Request: Put("/admin/world", small)},
		"BadWorld/otherGenerator": {Request: Put("/admin/world", ofOther)},
	}
}

const anyWebhook = `{"url": "http://127.0.0.1:3000/hook"}`

// webhookExamples returns requests for the examples of webhooks in admin.yaml. The server delivers
// nothing to their address.
func webhookExamples() map[string]provocation {
	pets := Put("/admin/webhooks/shop",
		`{"url": "http://127.0.0.1:3000/hook", "events": ["pet.*"], "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`)
	webhook := func(before []Request, r Request) provocation {
		return provocation{before: before, by: func(t *testing.T, w *World) *Answer {
			return withExampleValues(t, w.Do(t, r), 1)
		}}
	}
	return map[string]provocation{
		"listWebhooks/200/none": {Request: Get("/admin/webhooks")},
		"listWebhooks/200/one":  webhook([]Request{pets}, Get("/admin/webhooks")),
		"getWebhook/200/shop":   webhook([]Request{pets}, Get("/admin/webhooks/shop")),
		"setWebhook/200/shop":   webhook([]Request{Put("/admin/webhooks/shop", anyWebhook)}, pets),
		"setWebhook/201/made":   webhook(nil, Put("/admin/webhooks/shop", anyWebhook)),
		"listDeliveries/200/timedOut": {before: []Request{pets},
			Request: Get("/admin/webhooks/shop/deliveries?wait=1ms")},
		"listDeliveries/200/two": {config: generated, by: deliverTwo(Get("/admin/webhooks/shop/deliveries"), 1)},
		"resendDelivery/202/again": {config: generated,
			by: deliverTwo(Post("/admin/webhooks/shop/deliveries/1/resend", ""), 2)},
	}
}

// deliverTwo makes the request after one event was delivered and another failed, so that it is sent
// again after the given number of seconds.
func deliverTwo(r Request, seconds int) func(*testing.T, *World) *Answer {
	return func(t *testing.T, w *World) *Answer {
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), "pet.deleted") {
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, "out of order")
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		t.Cleanup(receiver.Close)
		w.Must(t, Put("/admin/webhooks/shop", fmt.Sprintf(`{"url": %q}`, receiver.URL)))
		w.Must(t, Post("/pets", `{"name": "Rex", "categoryId": 1}`))
		w.Must(t, Delete("/pets/7"))
		for tried := 0; tried < 2; {
			var found struct{ Deliveries []struct{ Tries []any } }
			w.Get(t, "/admin/webhooks/shop/deliveries").Decode(t, &found)
			tried = len(found.Deliveries[0].Tries) + len(found.Deliveries[1].Tries)
		}
		return withExampleValues(t, w.Do(t, r), seconds)
	}
}

// withExampleValues replaces values that vary by those of the examples. The next try is after the given
// number of seconds.
func withExampleValues(t *testing.T, a *Answer, seconds int) *Answer {
	t.Helper()
	var body any
	a.Decode(t, &body)
	messages := []string{"msg_Q4YL2UNZ3LNKXZ2Z5VYFOTL6DA", "msg_XAA4P4VUFOZKQ5JXH7ZC4DAMLE"}
	known := map[string]string{
		"createdAt": "2026-03-14T09:30:00Z", "at": "2026-03-14T09:30:00Z",
		"nextTryAt": fmt.Sprintf("2026-03-14T09:30:%02dZ", seconds),
		"secret":    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for name, constant := range known {
				if _, ok := value[name]; ok {
					value[name] = constant
				}
			}
			if _, ok := value["messageId"]; ok {
				value["messageId"] = messages[int(value["id"].(float64))-1]
			}
			for _, child := range value {
				walk(child)
			}
		case []any:
			for _, child := range value {
				walk(child)
			}
		}
	}
	walk(body)
	text := must.Get(json.Marshal(body))(t)
	a.Body = text
	return a
}

func webhooks(n int) (set []Request) {
	for i := range n {
		set = append(set, Put(fmt.Sprintf("/admin/webhooks/h%d", i), anyWebhook))
	}
	return set
}
