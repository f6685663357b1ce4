package admin_test

import (
	"context"
	"encoding/json"
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
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox/webhook"
)

const (
	anyHook   = "/admin/webhooks/one"
	ownSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	quietHook = `{"url": "http://127.0.0.1:9/", "events": ["category.deleted"], "secret": "` + ownSecret + `"}`
	shownHook = `{"name": "one", "url": "http://127.0.0.1:9/", "events": ["category.deleted"], "disabled": false, ` +
		`"pending": 0, "delivered": 0, "failed": 0, "dropped": 0}`
	deliveries = anyHook + "/deliveries"
)

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
	theirs := must.Get(standardwebhooks.NewWebhook(ownSecret))(t)
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
	requests := []Request{
		Post("/pets", NewPet), Patch("/pets/1", `{"status": "sold"}`), Delete("/pets/1"),
		Post("/categories", `{"name": "Mice"}`), Put("/categories/5", `{"name": "Rats"}`), Delete("/categories/5"),
		Post("/store/orders", `{}`), Patch("/store/orders/3", `{"complete": true}`), Delete("/store/orders/1"),
		Put("/store/inventory/2", `{"quantity": 7}`), message, Post("/admin/data/pets", NewPet),
		Post("/admin/undo", ""), Put("/admin/state", `{}`), Post("/admin/reset?only=data", ""),
	}
	all := w.Server.Sandboxes().Options.Sender.Types
	all = append(slices.Clone(all[:slices.Index(all, "sandbox.reset")]), "pet.created", "sandbox.reset",
		"sandbox.reset", "sandbox.reset")
	if len(requests) != len(all) {
		t.Fatalf("%d requests are sent, and one for each of these events is needed, in this order: %q", len(requests), all)
	}
	for _, r := range requests {
		w.Must(t, r)
	}
	var types []string
	for range all {
		p := v.next(t)
		types = append(types, p.Type)
		if p.Timestamp.Year() != 2031 || p.Type != "sandbox.reset" && p.Data["id"] == nil && p.Data["petId"] == nil {
			t.Errorf("%+v", p)
		}
	}
	must.Equal(t, all, types, "types of events")
}

// TestDocumentListsEventTypes compares the event types in the document with those of the server.
func TestDocumentListsEventTypes(t *testing.T) {
	t.Parallel()
	var documented []string
	for _, typ := range AdminDocument().Components.Schemas["EventType"].Value.Enum {
		documented = append(documented, typ.(string))
	}
	if diff := cmp.Diff(NewWorld(t).Server.Sandboxes().Options.Sender.Types, documented); diff != "" {
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
