package admin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox/webhook"
)

func TestWebhooks(t *testing.T) { runScenarios(t, webhookScenarios()) }

const (
	anyHook    = "/admin/webhooks/one"
	ownSecret  = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	quietHook  = `{"url": "http://127.0.0.1:9/", "events": ["category.deleted"], "secret": "` + ownSecret + `"}`
	shownHook  = `{"name": "one", "url": "http://127.0.0.1:9/", "events": ["category.deleted"], "disabled": false, "pending": 0, "delivered": 0, "failed": 0, "dropped": 0}`
	deliveries = anyHook + "/deliveries"
)

func webhookScenarios() []scenario {
	read := func(path string) request { return request{Method: "GET", Path: path} }
	set := []request{put(anyHook, quietHook)}
	var many []request
	for i := range webhook.MaxHooks {
		many = append(many, put(fmt.Sprint("/admin/webhooks/h", i), quietHook))
	}
	shows := func(want string) func(*testing.T, *answer) {
		return func(t *testing.T, a *answer) { t.Helper(); withoutTimes(t, a).ExpectJSON(t, want) }
	}
	bad := func(name, body string, fields ...string) scenario {
		return scenario{Name: "a webhook with " + name, Request: put(anyHook, body), Status: 400, Code: "validation_failed", Fields: fields}
	}
	badQuery := func(query, field string) scenario {
		return scenario{Name: "deliveries, bad " + query, Request: read(deliveries + query), Before: set, Status: 400, Code: "invalid_parameter", Fields: []string{field}}
	}
	const to = `{"url": "http://127.0.0.1:9/", `
	const none = `{"deliveries": [], "matched": 0, "dropped": 0}`
	scenarios := []scenario{
		{Name: "no webhooks", Request: read("/admin/webhooks"), Status: 200, Want: `[]`},
		{Name: "webhooks by name", Request: read("/admin/webhooks"), Before: []request{put("/admin/webhooks/two", quietHook), set[0]}, Status: 200,
			Check: shows("[" + shownHook + "," + strings.Replace(shownHook, "one", "two", 1) + "]")},
		{Name: "a webhook", Request: read(anyHook), Before: set, Status: 200, Check: shows(shownHook)},
		{Name: "no webhook", Request: read(anyHook), Status: 404, Code: "not_found"},
		{Name: "set a webhook", Request: put(anyHook, quietHook), Status: 201, Check: shows(shownHook)},
		{Name: "change a webhook", Request: put(anyHook, quietHook), Before: []request{put(anyHook, `{"url": "http://localhost/"}`)}, Status: 200, Check: shows(shownHook)},
		{Name: "set a webhook without a secret", Request: put(anyHook, `{"url": "http://localhost", "events": null, "secret": null}`), Status: 201, Check: func(t *testing.T, a *answer) {
			var made webhook.Info
			a.Decode(t, &made)
			if !strings.HasPrefix(made.Secret, "whsec_") || !slices.Equal(made.Events, []string{"*"}) {
				t.Errorf("made %+v", made)
			}
		}},
		{Name: "set one too many", Request: put(anyHook, quietHook), Before: many, Status: 507, Code: "sandbox_full"},
		{Name: "change one of many", Request: put("/admin/webhooks/h3", quietHook), Before: many, Status: 200, Check: shows(strings.Replace(shownHook, "one", "h3", 1))},
		{Name: "set an allowed host", Request: put(anyHook, strings.Replace(quietHook, "127.0.0.1", "Hooks.example", 1)), Config: func(c *handlers.Config) { c.WebhookHosts = []string{"hooks.example"} },
			Status: 201, Check: shows(strings.Replace(shownHook, "127.0.0.1", "Hooks.example", 1))},
		{Name: "what is no webhook", Request: put(anyHook, `{`), Status: 400, Code: "invalid_json"},
		{Name: "a webhook as text", Request: textual(put(anyHook, quietHook)), Status: 415, Code: "unsupported_media_type"},
		{Name: "a webhook that is too large", Request: put(anyHook, strings.Repeat(" ", 16<<10)+quietHook), Status: 413, Code: "payload_too_large"},
		bad("no address", `{}`, "/url"),
		bad("an empty address", `{"url": ""}`, "/url"),
		bad("a long address", `{"url": "http://127.0.0.1/`+strings.Repeat("a", 2048)+`"}`, "/url"),
		bad("a foreign host", `{"url": "http://petstore.example/"}`, "/url"),
		bad("unknown events", to+`"events": ["pet.*", "pets.*", "pet.sold"]}`, "/events/1", "/events/2"),
		bad("no events", to+`"events": []}`, "/events"),
		bad("too many events", to+`"events": [`+strings.Repeat(`"*", `, 20)+`"*"]}`, "/events"),
		bad("events that are no texts", to+`"events": [1]}`, "/events/0"),
		bad("events that are no array", to+`"events": "*"}`, "/events"),
		bad("an empty secret", to+`"secret": ""}`, "/secret"),
		bad("a short secret", to+`"secret": "whsec_c2hvcnQ="}`, "/secret"),
		bad("everything wrong", `{"url": "ftp://127.0.0.1", "events": ["*", 7], "secret": "s", "method": "GET"}`, "/events/1", "/method", "/url", "/secret"),
		{Name: "delete a webhook", Request: drop(anyHook), Before: set, Status: 204},
		{Name: "delete what there is not", Request: drop(anyHook), Status: 404, Code: "not_found"},

		{Name: "no deliveries", Request: read(deliveries), Before: set, Status: 200, Want: none},
		{Name: "deliveries, with all parameters", Request: read(deliveries + "?state=failed&event=pet.created&since=7&order=desc&limit=400&count=1&wait=1ms"), Before: set, Status: 200,
			Want: `{"deliveries": [], "matched": 0, "dropped": 0, "timedOut": true}`},
		{Name: "fewer deliveries than are wanted, now", Request: read(deliveries + "?count=2"), Before: set, Status: 200, Want: none},
		{Name: "deliveries of no webhook", Request: read(deliveries), Status: 404, Code: "not_found"},
		{Name: "waiting for deliveries of no webhook", Request: read(deliveries + "?wait=60s"), Status: 404, Code: "not_found"},
		{Name: "send no delivery again", Request: post(deliveries+"/1/resend", ""), Before: set, Status: 404, Code: "not_found"},
		{Name: "send one of no webhook again", Request: post(deliveries+"/1/resend", ""), Status: 404, Code: "not_found"},
		{Name: "send what has no id again", Request: post(deliveries+"/a/resend", ""), Before: set, Status: 400, Code: "invalid_parameter", Fields: []string{"deliveryId"}},
		{Name: "send one again", Request: post(deliveries+"/1/resend", ""), Before: append(slices.Clip(set), put("/categories/3", `{"name": "Fish"}`), post("/categories", `{"name": "Mice"}`), drop("/categories/5")), Status: 202, Check: func(t *testing.T, a *answer) {
			var d webhook.Delivery
			a.Decode(t, &d)
			if d.ID != 1 || d.Event != "category.deleted" || d.State != webhook.Pending || string(d.Payload) != `{"type":"category.deleted","timestamp":"2026-07-01T12:00:00Z","data":{"id":5}}` {
				t.Errorf("%+v", d)
			}
		}},
		badQuery("?state=gone", "state"), badQuery("?event=pet.*", "event"), badQuery("?since=a", "since"), badQuery("?since=-1", "since"), badQuery("?order=up", "order"),
		badQuery("?limit=401", "limit"), badQuery("?count=401", "count"), badQuery("?wait=61s", "wait"), badQuery("?stat=failed", "stat"),
	}
	for _, r := range []request{read("/admin/webhooks/-a"), put("/admin/webhooks/-a", quietHook), drop("/admin/webhooks/-a"), read("/admin/webhooks/-a/deliveries"), post("/admin/webhooks/-a/deliveries/1/resend", "")} {
		scenarios = append(scenarios, scenario{Name: r.Method + " " + r.Path, Request: r, Status: 400, Code: "invalid_parameter", Fields: []string{"webhookName"}})
	}
	return scenarios
}

// withoutTimes removes the creation times of webhooks from a response, after checking them.
func withoutTimes(t *testing.T, a *answer) *answer {
	t.Helper()
	var body any
	a.Decode(t, &body)
	list, many := body.([]any)
	if !many {
		list = []any{body}
	}
	for _, hook := range list {
		hook := hook.(map[string]any)
		if at, err := time.Parse(time.RFC3339, fmt.Sprint(hook["createdAt"])); err != nil || time.Since(at) > time.Hour {
			t.Errorf("made at %v, which is not the machine's time: %v", hook["createdAt"], err)
		}
		delete(hook, "createdAt")
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return &answer{Status: a.Status, Header: a.Header, Body: text}
}

// hookReceiver is a receiver that verifies deliveries.
type hookReceiver struct {
	*httptest.Server
	came chan webhookPayload
}

type webhookPayload struct {
	Type      string
	Timestamp time.Time
	Data      map[string]any
}

func newReceiver(t *testing.T) *hookReceiver {
	t.Helper()
	theirs, err := standardwebhooks.NewWebhook(ownSecret)
	if err != nil {
		t.Fatal(err)
	}
	v := &hookReceiver{came: make(chan webhookPayload, 100)}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := theirs.Verify(body, r.Header); err != nil { // also verifies the timestamp
			t.Errorf("%v: %s", err, body)
		}
		var p webhookPayload
		if err := json.Unmarshal(body, &p); err != nil {
			t.Error(err)
		}
		v.came <- p
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(v.Close)
	return v
}

func (v *hookReceiver) next(t *testing.T) webhookPayload {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case p := <-v.came:
		return p
	case <-ctx.Done():
		t.Fatal("nothing came")
		return webhookPayload{}
	}
}

func hookTo(address string, events ...string) string {
	text, err := json.Marshal(map[string]any{"url": address, "secret": ownSecret, "events": events})
	if err != nil {
		panic(err)
	}
	return strings.Replace(string(text), `"events":null,`, "", 1)
}

// TestEveryEventIsDelivered causes each type of event while the sandbox's clock is years ahead. The
// deliveries must have the events of the stream, and be verifiable at the real time.
func TestEveryEventIsDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := newReceiver(t)
	w.Must(t, setClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, put(anyHook, hookTo(v.URL)))
	patch := func(path, body string) request { return request{Method: "PATCH", Path: path, Body: body} }
	message := post("/messages", `{"message": "Hello"}`)
	message.Header = http.Header{"Authorization": {"Bearer demo-key"}}
	for _, r := range []request{
		post("/pets", newPet), patch("/pets/1", `{"status": "sold"}`), drop("/pets/1"),
		post("/categories", `{"name": "Mice"}`), put("/categories/5", `{"name": "Rats"}`), drop("/categories/5"),
		post("/store/orders", `{}`), patch("/store/orders/3", `{"complete": true}`), drop("/store/orders/1"),
		put("/store/inventory/2", `{"quantity": 7}`), message, post("/admin/data/pets", newPet), post("/admin/undo", ""), put("/admin/state", `{}`), post("/admin/reset?only=data", ""),
	} {
		w.Must(t, r)
	}
	var types []string
	for range 15 {
		p := v.next(t)
		types = append(types, p.Type)
		if p.Timestamp.Year() != 2031 || p.Type != "sandbox.reset" && p.Data["id"] == nil && p.Data["petId"] == nil {
			t.Errorf("%+v", p)
		}
	}
	all := append(slices.Clone(w.Server.Sandboxes().Webhooks().Types()[:11]), "pet.created", "sandbox.reset", "sandbox.reset", "sandbox.reset")
	if diff := cmp.Diff(all, types); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDocumentHasTheEvents compares the event types in the document with those of the server.
func TestDocumentHasTheEvents(t *testing.T) {
	t.Parallel()
	var documented []string
	for _, typ := range adminDocument().Components.Schemas["EventType"].Value.Enum {
		documented = append(documented, typ.(string))
	}
	if diff := cmp.Diff(newWorld(t).Server.Sandboxes().Webhooks().Types(), documented); diff != "" {
		t.Errorf("-webhook +document:\n%s", diff)
	}
}

// TestWebhooksDoNotChainForEver adds a webhook that creates an order in its own sandbox for each
// event, and another one that reports the events.
func TestWebhooksDoNotChainForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := newReceiver(t)
	w.Must(t, put("/sandboxes/ada/admin/webhooks/again", hookTo(w.URL+"/sandboxes/ada/store/orders")))
	w.Must(t, put("/sandboxes/ada/admin/webhooks/told", hookTo(v.URL)))
	w.Must(t, put("/sandboxes/ada/admin/webhooks/admin", hookTo(w.URL+"/sandboxes/ada/admin/snapshots/one/restore")))
	w.Must(t, inSandbox("ada", put("/admin/snapshots/one", "")))
	for range 3 {
		w.Must(t, inSandbox("ada", post("/pets", newPet)))
		v.next(t)
	}
	w.Get(t, "/sandboxes/ada/admin/webhooks/again/deliveries?state=delivered&count=3&wait=60s")
	var list []any
	w.Get(t, "/sandboxes/ada/store/orders").Decode(t, &list)
	if len(list) != 7 || len(v.came) > 0 {
		t.Errorf("there are %d orders, want the 4 of before and 3; %d more events came", len(list), len(v.came))
	}
	var of struct{ Deliveries []webhook.Delivery }
	for len(of.Deliveries) == 0 || len(of.Deliveries[0].Tries) == 0 {
		w.Get(t, "/sandboxes/ada/admin/webhooks/admin/deliveries").Decode(t, &of)
	}
	if got := of.Deliveries[0].Tries[0].Status; got != 403 {
		t.Errorf("the control plane answers a webhook %d, want 403", got)
	}
}

// TestWebhooksAndResets resets a sandbox and loads worlds. Its webhooks must stay and deliver only
// the reset, and no copy or file may contain them.
func TestWebhooksAndResets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := newReceiver(t)
	ada := func(r request) request { return inSandbox("ada", r) }
	w.Must(t, ada(put("/admin/webhooks/dead", hookTo("http://127.0.0.1:9/", "pet.created"))))
	w.Must(t, ada(put("/admin/webhooks/live", hookTo(v.URL, "sandbox.*"))))
	w.Must(t, ada(post("/pets", newPet)))
	world := w.Do(t, ada(request{Method: "GET", Path: "/admin/world"}))
	for _, secret := range []string{"webhook", ownSecret, v.URL} {
		if strings.Contains(string(world.Body), secret) {
			t.Errorf("the world tells %s", secret)
		}
	}
	for _, r := range []request{post("/admin/reset", ""), put("/admin/world", string(world.Body))} {
		w.Must(t, ada(post("/pets", newPet)))
		w.Must(t, ada(r))
		if p := v.next(t); p.Type != "sandbox.reset" {
			t.Errorf("%s came", p.Type)
		}
		var found struct{ Deliveries []webhook.Delivery }
		w.Get(t, "/sandboxes/ada/admin/webhooks/dead/deliveries").Decode(t, &found)
		if len(found.Deliveries) > 0 {
			t.Errorf("after %s %s there are %d deliveries", r.Method, r.Path, len(found.Deliveries))
		}
	}
	w.Must(t, post("/admin/sandboxes/ada/fork", `{"name": "fork"}`))
	w.Must(t, put("/admin/template", `{"from": "ada"}`))
	w.Must(t, put("/admin/sandboxes/made", ""))
	w.Must(t, put("/sandboxes/entered/admin/world", string(world.Body)))
	for _, name := range []string{"fork", "made", "entered", "default"} {
		w.Get(t, "/sandboxes/"+name+"/admin/webhooks").ExpectJSON(t, `[]`)
	}
	w.Must(t, ada(post("/admin/reset?only=webhooks", "")))
	w.Get(t, "/sandboxes/ada/admin/webhooks").ExpectJSON(t, `[]`)
	w.Must(t, ada(put("/admin/webhooks/live", hookTo("http://127.0.0.1:9/"))))
	w.Must(t, put("/admin/sandboxes/ada", `{"fresh": true}`))
	w.Get(t, "/sandboxes/ada/admin/webhooks").ExpectJSON(t, `[]`)
}

// TestOwnersSetNoWebhooks checks that the key of a sandbox cannot use its webhooks, in a workshop
// as elsewhere, because webhooks make the server send requests.
func TestOwnersSetNoWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey, c.Workshop = "root", true })
	joined := w.Do(t, post("/join", `{"name": "Ada"}`))
	var ada struct{ Key string }
	joined.Decode(t, &ada)
	by := func(key string, r request) request {
		r = inSandbox("ada", r)
		if r.Header == nil {
			r.Header = http.Header{}
		}
		r.Header.Set("Authorization", "Bearer "+key)
		return r
	}
	read := func(path string) request { return request{Method: "GET", Path: path} }
	w.Must(t, by("root", put(anyHook, quietHook)))
	for _, r := range []request{
		put(anyHook, quietHook), read("/admin/webhooks"), read(anyHook), drop(anyHook), read(deliveries), post(deliveries+"/1/resend", ""), post("/admin/reset?only=data,webhooks", ""),
	} {
		w.Do(t, by(ada.Key, r)).Expect(t, 403, "forbidden")
	}
	w.Must(t, by(ada.Key, post("/admin/reset", "")))
	w.Do(t, by("root", read(anyHook))).Expect(t, 200, "")
}
