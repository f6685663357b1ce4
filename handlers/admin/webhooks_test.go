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
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox/webhook"
)

func TestWebhooks(t *testing.T) { RunScenarios(t, webhookScenarios()) }

const (
	anyHook   = "/admin/webhooks/one"
	ownSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	quietHook = `{"url": "http://127.0.0.1:9/", "events": ["category.deleted"], "secret": "` + ownSecret + `"}`
	shownHook = `{"name": "one", "url": "http://127.0.0.1:9/", "events": ["category.deleted"], "disabled": false, ` +
		`"pending": 0, "delivered": 0, "failed": 0, "dropped": 0}`
	deliveries = anyHook + "/deliveries"
)

func webhookScenarios() []Scenario {
	set := []Request{Put(anyHook, quietHook)}
	var many []Request
	for i := range webhook.MaxHooks {
		many = append(many, Put(fmt.Sprint("/admin/webhooks/h", i), quietHook))
	}
	shows := func(want string) func(*testing.T, *Answer) {
		return func(t *testing.T, a *Answer) { t.Helper(); withoutTimes(t, a).ExpectJSON(t, want) }
	}
	bad := func(name, body string, fields ...string) Scenario {
		return Refused("a webhook with "+name, Put(anyHook, body), 400, "validation_failed", fields...)
	}
	badQuery := func(query, field string) Scenario {
		return Refused("deliveries, bad "+query, Get(deliveries+query), 400, "invalid_parameter", field).After(set...)
	}
	const to = `{"url": "http://127.0.0.1:9/", `
	const none = `{"deliveries": [], "matched": 0, "dropped": 0}`
	scenarios := []Scenario{
		Answered("no webhooks", Get("/admin/webhooks"), 200, `[]`),
		{Name: "webhooks by name", Request: Get("/admin/webhooks"),
			Before: []Request{Put("/admin/webhooks/two", quietHook), set[0]}, Status: 200,
			Check: shows("[" + shownHook + "," + strings.Replace(shownHook, "one", "two", 1) + "]")},
		{Name: "a webhook", Request: Get(anyHook), Before: set, Status: 200, Check: shows(shownHook)},
		Refused("no webhook", Get(anyHook), 404, "not_found"),
		{Name: "set a webhook", Request: Put(anyHook, quietHook), Status: 201, Check: shows(shownHook)},
		{Name: "change a webhook", Request: Put(anyHook, quietHook),
			Before: []Request{Put(anyHook, `{"url": "http://localhost/"}`)}, Status: 200, Check: shows(shownHook)},
		{Name: "set a webhook without a secret",
			Request: Put(anyHook,
				`{"url": "http://localhost", "events": null, "secret": null}`), Status: 201,
			Check: func(t *testing.T, a *Answer) {
				var made webhook.Info
				a.Decode(t, &made)
				if !strings.HasPrefix(made.Secret, "whsec_") || !slices.Equal(made.Events, []string{"*"}) {
					t.Errorf("made %+v", made)
				}
			}},
		Refused("set one too many", Put(anyHook, quietHook), 507, "sandbox_full").After(many...),
		{Name: "change one of many", Request: Put("/admin/webhooks/h3", quietHook), Before: many, Status: 200,
			Check: shows(strings.Replace(shownHook, "one", "h3", 1))},
		{Name: "set an allowed host",
			Request: Put(anyHook, strings.Replace(quietHook, "127.0.0.1", "Hooks.example", 1)),
			Config:  func(c *handlers.Config) { c.WebhookHosts = []string{"hooks.example"} },
			Status:  201, Check: shows(strings.Replace(shownHook, "127.0.0.1", "Hooks.example", 1))},
		Refused("a webhook that is too large", Put(anyHook, strings.Repeat(" ", 16<<10)+quietHook),
			413, "payload_too_large"),
		bad("no address", `{}`, "/url"),
		bad("an empty address", `{"url": ""}`, "/url"),
		bad("a long address", `{"url": "http://127.0.0.1/`+strings.Repeat("a", 2048)+`"}`, "/url"),
		bad("a foreign host", `{"url": "http://petstore.example/"}`, "/url"),
		bad("unknown events", to+`"events": ["pet.*", "pets.*", "pet.sold"]}`, "/events/1", "/events/2"),
		bad("no events", to+`"events": []}`, "/events"),
		bad("too many events", to+`"events": [`+strings.Repeat(`"*", `, 20)+`"*"]}`, "/events"),
		bad("events of another type", to+`"events": [1]}`, "/events/0"),
		bad("events without an array", to+`"events": "*"}`, "/events"),
		bad("an empty secret", to+`"secret": ""}`, "/secret"),
		bad("a short secret", to+`"secret": "whsec_c2hvcnQ="}`, "/secret"),
		bad("everything wrong", `{"url": "ftp://127.0.0.1", "events": ["*", 7], "secret": "s", "method": "GET"}`,
			"/events/1", "/method", "/url", "/secret"),
		{Name: "delete a webhook", Request: Delete(anyHook), Before: set, Status: 204},
		Refused("delete what there is not", Delete(anyHook), 404, "not_found"),

		Answered("no deliveries", Get(deliveries), 200, none).After(set...),
		Answered("deliveries, with all parameters",
			Get(deliveries+"?state=failed&event=pet.created&since=7&order=desc&limit=400&count=1&wait=1ms"), 200,
			`{"deliveries": [], "matched": 0, "dropped": 0, "timedOut": true}`).After(set...),
		Answered("fewer deliveries than are wanted, now", Get(deliveries+"?count=2"), 200, none).After(set...),
		Refused("deliveries of no webhook", Get(deliveries), 404, "not_found"),
		Refused("waiting for deliveries of no webhook", Get(deliveries+"?wait=60s"), 404, "not_found"),
		Refused("send no delivery again", Post(deliveries+"/1/resend", ""), 404, "not_found").After(set...),
		Refused("send one of no webhook again", Post(deliveries+"/1/resend", ""), 404, "not_found"),
		Refused("send what has no id again", Post(deliveries+"/a/resend", ""),
			400, "invalid_parameter", "deliveryId").After(set...),
		{Name: "resend a delivery", Request: Post(deliveries+"/1/resend", ""),
			Before: append(slices.Clip(set), Put("/categories/3", `{"name": "Fish"}`),
				Post("/categories",
					`{"name": "Mice"}`), Delete("/categories/5")), Status: 202, Check: func(t *testing.T, a *Answer) {
				var d webhook.Delivery
				a.Decode(t, &d)
				if d.ID != 1 || d.Event != "category.deleted" || d.State != webhook.Pending ||
					string(
						d.Payload) != `{"type":"category.deleted","timestamp":"2026-07-01T12:00:00Z","data":{"id":5}}` {
					t.Errorf("%+v", d)
				}
			}},
		badQuery("?state=gone", "state"), badQuery("?event=pet.*", "event"), badQuery("?since=a", "since"),
		badQuery("?since=-1", "since"), badQuery("?order=up", "order"),
		badQuery("?limit=401", "limit"), badQuery("?count=401", "count"), badQuery("?wait=61s", "wait"),
		badQuery("?stat=failed", "stat"),
	}
	for _, r := range []Request{Get("/admin/webhooks/-a"), Put("/admin/webhooks/-a", quietHook),
		Delete("/admin/webhooks/-a"), Get("/admin/webhooks/-a/deliveries"), Post(
			"/admin/webhooks/-a/deliveries/1/resend", "")} {
		scenarios = append(scenarios, Refused(r.Method+" "+r.Path, r, 400, "invalid_parameter", "webhookName"))
	}
	return scenarios
}

// withoutTimes removes the creation times of webhooks from a response, after checking them.
func withoutTimes(t *testing.T, a *Answer) *Answer {
	t.Helper()
	var body any
	a.Decode(t, &body)
	list, many := body.([]any)
	if !many {
		list = []any{body}
	}
	for _, hook := range list {
		hook := hook.(map[string]any)
		if at, err := time.Parse(time.RFC3339, fmt.Sprint(hook["createdAt"])); err != nil ||
			time.Since(at) > time.Hour {
			t.Errorf("made at %v, which is not the machine's time: %v", hook["createdAt"], err)
		}
		delete(hook, "createdAt")
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return &Answer{Status: a.Status, Header: a.Header, Body: text}
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
	w := NewWorld(t)
	v := newReceiver(t)
	w.Must(t, SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Put(anyHook, hookTo(v.URL)))
	message := Post("/messages", `{"message": "Hello"}`).WithKey("demo-key")
	for _, r := range []Request{
		Post("/pets", NewPet), Patch("/pets/1", `{"status": "sold"}`), Delete("/pets/1"),
		Post("/categories", `{"name": "Mice"}`), Put("/categories/5", `{"name": "Rats"}`), Delete("/categories/5"),
		Post("/store/orders", `{}`), Patch("/store/orders/3", `{"complete": true}`), Delete("/store/orders/1"),
		Put("/store/inventory/2", `{"quantity": 7}`), message, Post("/admin/data/pets", NewPet),
		Post("/admin/undo", ""), Put("/admin/state", `{}`), Post("/admin/reset?only=data", ""),
	} {
		w.Must(t, r)
	}
	all := w.Server.Sandboxes().Options.Sender.Types()
	all = append(slices.Clone(all[:slices.Index(all, "sandbox.reset")]), "pet.created", "sandbox.reset",
		"sandbox.reset", "sandbox.reset")
	var types []string
	for range all {
		p := v.next(t)
		types = append(types, p.Type)
		if p.Timestamp.Year() != 2031 || p.Type != "sandbox.reset" && p.Data["id"] == nil && p.Data["petId"] == nil {
			t.Errorf("%+v", p)
		}
	}
	if diff := cmp.Diff(all, types); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDocumentListsEventTypes compares the event types in the document with those of the server.
func TestDocumentListsEventTypes(t *testing.T) {
	t.Parallel()
	var documented []string
	for _, typ := range AdminDocument().Components.Schemas["EventType"].Value.Enum {
		documented = append(documented, typ.(string))
	}
	if diff := cmp.Diff(NewWorld(t).Server.Sandboxes().Options.Sender.Types(), documented); diff != "" {
		t.Errorf("-webhook +document:\n%s", diff)
	}
}

// TestWebhooksDoNotLoop adds a webhook that creates an order in its own sandbox for each
// event, and another one that reports the events.
func TestWebhooksDoNotLoop(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	v := newReceiver(t)
	w.Must(t, Put("/sandboxes/ada/admin/webhooks/again", hookTo(w.URL+"/sandboxes/ada/store/orders")))
	w.Must(t, Put("/sandboxes/ada/admin/webhooks/events", hookTo(v.URL)))
	w.Must(t, Put("/sandboxes/ada/admin/webhooks/admin", hookTo(w.URL+"/sandboxes/ada/admin/snapshots/one/restore")))
	w.Must(t, InSandbox("ada", Put("/admin/snapshots/one", "")))
	for range 3 {
		w.Must(t, InSandbox("ada", Post("/pets", NewPet)))
		v.next(t)
	}
	w.Get(t, "/sandboxes/ada/admin/webhooks/again/deliveries?state=delivered&count=3&wait=60s")
	var list []any
	w.Get(t, "/sandboxes/ada/store/orders").Decode(t, &list)
	if len(list) != 7 || len(v.came) > 0 {
		t.Errorf("%d orders, want the 4 from before and 3; %d more events", len(list), len(v.came))
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
	w := NewWorld(t)
	v := newReceiver(t)
	ada := func(r Request) Request { return InSandbox("ada", r) }
	w.Must(t, ada(Put("/admin/webhooks/dead", hookTo("http://127.0.0.1:9/", "pet.created"))))
	w.Must(t, ada(Put("/admin/webhooks/live", hookTo(v.URL, "sandbox.*"))))
	w.Must(t, ada(Post("/pets", NewPet)))
	world := w.Do(t, ada(Get("/admin/world")))
	for _, secret := range []string{"webhook", ownSecret, v.URL} {
		if strings.Contains(string(world.Body), secret) {
			t.Errorf("the world contains %s", secret)
		}
	}
	for _, r := range []Request{Post("/admin/reset", ""), Put("/admin/world", string(world.Body))} {
		w.Must(t, ada(Post("/pets", NewPet)))
		w.Must(t, ada(r))
		if p := v.next(t); p.Type != "sandbox.reset" {
			t.Errorf("%s came", p.Type)
		}
		var found struct{ Deliveries []webhook.Delivery }
		w.Get(t, "/sandboxes/ada/admin/webhooks/dead/deliveries").Decode(t, &found)
		if len(found.Deliveries) > 0 {
			t.Errorf("%s %s: %d deliveries", r.Method, r.Path, len(found.Deliveries))
		}
	}
	w.Must(t, Post("/admin/sandboxes/ada/fork", `{"name": "fork"}`))
	w.Must(t, Put("/admin/template", `{"from": "ada"}`))
	w.Must(t, Put("/admin/sandboxes/made", ""))
	w.Must(t, Put("/sandboxes/entered/admin/world", string(world.Body)))
	for _, name := range []string{"fork", "made", "entered", "default"} {
		w.Get(t, "/sandboxes/"+name+"/admin/webhooks").ExpectJSON(t, `[]`)
	}
	w.Must(t, ada(Post("/admin/reset?only=webhooks", "")))
	w.Get(t, "/sandboxes/ada/admin/webhooks").ExpectJSON(t, `[]`)
	w.Must(t, ada(Put("/admin/webhooks/live", hookTo("http://127.0.0.1:9/"))))
	w.Must(t, Put("/admin/sandboxes/ada", `{"fresh": true}`))
	w.Get(t, "/sandboxes/ada/admin/webhooks").ExpectJSON(t, `[]`)
}

// TestSandboxKeyCannotSetWebhooks checks that the key of a sandbox cannot use its webhooks, in a workshop
// as elsewhere, because webhooks make the server send requests.
func TestSandboxKeyCannotSetWebhooks(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey, c.Workshop = "root", true })
	joined := w.Do(t, Post("/join", `{"name": "Ada"}`))
	var ada struct{ Key string }
	joined.Decode(t, &ada)
	by := func(key string, r Request) Request { return InSandbox("ada", r).WithKey(key) }
	w.Must(t, by("root", Put(anyHook, quietHook)))
	for _, r := range []Request{
		Put(anyHook, quietHook), Get("/admin/webhooks"), Get(anyHook), Delete(anyHook), Get(deliveries),
		Post(deliveries+"/1/resend", ""), Post("/admin/reset?only=data,webhooks", ""),
	} {
		w.Do(t, by(ada.Key, r)).Expect(t, 403, "forbidden")
	}
	w.Must(t, by(ada.Key, Post("/admin/reset", "")))
	w.Do(t, by("root", Get(anyHook))).Expect(t, 200, "")
}
