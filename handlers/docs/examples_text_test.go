package docs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tmaxmax/go-sse"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
)

// textExample returns an example of the operation's response that is not JSON.
func textExample(t *testing.T, d *document, path, media, name string) string {
	t.Helper()
	example := d.Paths.Value(path).Get.Responses.Status(200).Value.Content[media].Examples[name]
	if example == nil {
		t.Fatalf("%s has no example %s of %s", path, name, media)
	}
	return example.Value.Value.(string)
}

// TestJUnitExampleIsTheWire checks the example of a report as TestExamplesAreTheWire does.
func TestJUnitExampleIsTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	call := by("X-Client", "web", by("User-Agent", "shop-app/2.1", get("/pets/7")))
	at := func(time string) request {
		return put("/admin/clock", `{"now": "2026-03-14T`+time+`Z", "frozen": true}`)
	}
	for _, r := range append(repeated(13, call), at("09:41:12"), call, at("09:42:00")) {
		w.Must(t, r)
	}
	want := textExample(t, adminDocument(), "/admin/report", "application/xml", "used")
	if diff := cmp.Diff(want, string(w.Get(t, "/admin/report?format=junit").Body)); diff != "" {
		t.Errorf("-example +wire:\n%s", diff)
	}
}

// TestStreamExamplesAreTheWire checks the examples of event streams as TestExamplesAreTheWire does.
func TestStreamExamplesAreTheWire(t *testing.T) {
	t.Parallel()
	sale := starting(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "Rex", "categoryId": 1}], "next": {"order": 51}}`)
	for _, c := range []struct {
		document   *document
		path, name string
		config     func(*handlers.Config)
		before     int // number of requests before the stream
		writes     []request
	}{
		{serviceDocument(), "/events", "sale", sale, 39, []request{post("/store/orders", `{"petId": 7}`), patch("/pets/7", `{"status": "sold"}`)}},
		{adminDocument(), "/admin/events", "some", generated, 40,
			[]request{by("Host", "localhost:8080", by("User-Agent", "shop-app/2.1", post("/pets", `{"name": "Rex", "categoryId": 1}`)))}},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.config)
			for range c.before {
				w.Get(t, "/pets")
			}
			stream := w.Listen(t, c.path, http.Header{"User-Agent": {"shop-app/2.1"}})
			for _, r := range c.writes {
				w.Must(t, r)
			}
			for shown, err := range sse.Read(strings.NewReader(textExample(t, c.document, c.path, "text/event-stream", c.name)), nil) {
				if err != nil {
					t.Fatal(err)
				}
				want, got := toldBy(t, shown), toldBy(t, <-stream.Events)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-example +wire:\n%s", diff)
				}
			}
		})
	}
}

// toldBy returns the id, name and data of an event, without values that vary.
func toldBy(t *testing.T, e sse.Event) map[string]any {
	t.Helper()
	data := jsonValue(t, []byte(e.Data))
	forget(data, "durationMs")
	return map[string]any{"id": e.LastEventID, "name": e.Type, "data": data}
}

// TestMetricsExampleShowsEveryFigure checks that the example has every metric family, with the type
// and help text of the server.
func TestMetricsExampleShowsEveryFigure(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopWith(func(c *handlers.Config) { c.Connections = func() admin.Connections { return admin.Connections{} } }))
	families := func(text string) (lines []string) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "# ") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	want := textExample(t, adminDocument(), "/metrics", "text/plain", "started")
	if diff := cmp.Diff(families(want), families(string(w.Get(t, "/metrics").Body))); diff != "" {
		t.Errorf("-example +wire:\n%s", diff)
	}
}
