package docs_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/store"
)

// serviceExamples returns requests for the examples of openapi.yaml.
func serviceExamples() map[string]provocation {
	all := serviceErrors()
	next := func(kind string, id int) func(*handlers.Config) {
		return starting(
			fmt.Sprintf(`{"categories": [{"id": 1, "name": "Dogs"}, {"id": 2, "name": "Cats"}], "next": {%q: %d}}`,
				kind, id))
	}
	nextOrder := func(id int) func(*handlers.Config) {
		return starting(
			fmt.Sprintf(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "Rex", `+
				`"categoryId": 1}], "next": {"order": %d}}`, id))
	}
	do := func(key string, config func(*handlers.Config), r Request) {
		all[key] = provocation{config: config, Request: r}
	}
	const rex, misty = `{"name": "Rex", "categoryId": 1}`, `{"name": "Misty", "categoryId": 2, "status": "pending"}`
	do("listPets/200/page", nil, Get("/pets?limit=2"))
	do("listPets/200/noMatch", nil, Get("/pets?name=nobody"))
	do("createPet/201/dog", next("pet", 7), Post("/pets", rex))
	do("createPet/201/pendingCat", next("pet", 12), Post("/pets", misty))
	do("getPet/200/dog", nil, Get("/pets/7"))
	do("replacePet/200/dog", nil, Put("/pets/7", rex))
	do("updatePet/200/sold", nil, Patch("/pets/7", `{"status": "sold"}`))

	const reptiles = `{"name": "Reptiles", "description": "Geckos, tortoises and other scaly friends"}`
	do("listCategories/200/page", nil, Get("/categories?limit=2"))
	do("listCategories/200/noMatch", nil, Get("/categories?name=none"))
	do("createCategory/201/reptiles", next("category", 9), Post("/categories", reptiles))
	do("createCategory/201/nameOnly", next("category", 10), Post("/categories", `{"name": "Birds"}`))
	do("getCategory/200/reptiles", nil, Get("/categories/9"))
	do("getCategory/200/nameOnly", nil, Get("/categories/10"))
	do("replaceCategory/200/reptiles", nil, Put("/categories/9", reptiles))
	do("updateCategory/200/reptiles", nil,
		Patch("/categories/9", `{"description": "Geckos, tortoises and other scaly friends"}`))
	do("updateCategory/200/nameOnly", nil, Patch("/categories/10", `{"description": null}`))

	const twoDogs = `{"petId": 7, "quantity": 2, "shipDate": "2026-03-14T09:30:00Z"}`
	do("listOrders/200/page", nil, Get("/store/orders?limit=2"))
	do("listOrders/200/noMatch", nil, Get("/store/orders?petId=8"))
	do("createOrder/201/twoDogs", nextOrder(12), Post("/store/orders", twoDogs))
	do("createOrder/201/empty", nextOrder(13), Post("/store/orders", `{}`))
	do("getOrder/200/open", nil, Get("/store/orders/12"))
	do("getOrder/200/bare", nil, Get("/store/orders/13"))
	do("replaceOrder/200/complete", nil,
		Put("/store/orders/12", `{"petId": 7, "quantity": 2, "shipDate": "2026-03-14T09:30:00Z", "complete": true}`))
	do("updateOrder/200/complete", nil, Patch("/store/orders/12", `{"complete": true}`))

	do("listInventory/200/page", nil, Get("/store/inventory?limit=2"))
	do("listInventory/200/noMatch", nil, Get("/store/inventory?status=sold"))
	do("getInventoryItem/200/inStock", nil, Get("/store/inventory/7"))
	do("updateInventory/200/inStock", nil, Put("/store/inventory/7", `{"quantity": 24}`))

	keyed := func(r Request) Request { return r.WithKey("demo-key") }
	do("listMessages/200/page", nil, keyed(Get("/messages")))
	do("listMessages/200/none", next("message", 1), keyed(Get("/messages")))
	do("createMessage/201/greeting", next("message", 1),
		keyed(Post("/messages", `{"message": "Is Rex still available?"}`)))
	do("getMessage/200/greeting", nil, keyed(Get("/messages/1")))
	do("getHealth/200/up", nil, Get("/healthz"))
	all["getHealth/503/draining"] = provocation{by: func(t *testing.T, w *World) *Answer {
		w.Server.Drain()
		return w.Get(t, "/healthz")
	}}
	return all
}

func serviceErrors() map[string]provocation {
	afterSunset := shopWith(func(c *handlers.Config) {
		c.EnforceSunset = true
		c.Now = func() time.Time { return time.Date(2031, time.January, 1, 0, 0, 0, 0, time.UTC) }
	})
	explicit := shopWith(func(c *handlers.Config) { c.ExplicitSandboxes = true })
	const rex = `{"name": "Rex", "categoryId": 1}`
	return map[string]provocation{
		"BadRequest/validationFailed": {Request: Post("/pets", `{"name": ""}`)},
		"BadRequest/invalidParameter": {Request: Get("/pets?limit=0")},
		"BadRequest/invalidJson":      {Request: Post("/pets", `{"name": "Bello"`)},
		"Forbidden/otherSandbox": {by: func(t *testing.T, w *World) *Answer {
			w.Make(t, "ada", registry.CreateOptions{Private: new(true)})
			return byOtherKey(InSandbox("ada", Get("/pets")))(t, w)
		}},
		"Unauthorized/noKey":            {Request: Get("/messages")},
		"NotFound/noPet":                {Request: Get("/pets/4711")},
		"NotFound/unknownSandbox":       {config: explicit, Request: InSandbox("grace", Get("/pets/7"))},
		"UnknownSandbox/unknownSandbox": {config: explicit, Request: InSandbox("grace", Get("/pets"))},
		"UnknownSandbox/inAWorkshop":    {config: workshop, Request: InSandbox("grace", Get("/pets"))},
		"UnknownSandbox/afterTheWorkshop": {config: workshop, before: []Request{Post("/admin/workshop/end", "")},
			Request: InSandbox("grace", Get("/pets"))},
		"Conflict/stillRunning": {by: func(t *testing.T, w *World) *Answer {
			return sendTwice(t, w, Keyed(Post("/pets", NewPet), "k1"))
		}},
		"CategoryInUse/inUse":           {Request: Delete("/categories/3")},
		"Sunset/gone":                   {config: afterSunset, Request: Get("/pets/7")},
		"PreconditionFailed/changed":    {Request: Put("/pets/7", rex).With("If-Match", `"old"`)},
		"PayloadTooLarge/tooLarge":      {Request: Post("/pets", strings.Repeat(" ", 1<<20+1))},
		"UnsupportedMediaType/notJson":  {Request: Textual(Post("/pets", rex))},
		"Unprocessable/unknownCategory": {Request: Post("/pets", `{"name": "Rex", "categoryId": 99}`)},
		"Unprocessable/unknownPet":      {Request: Post("/store/orders", `{"petId": 4711}`)},
		"Unprocessable/keyReused": {
			before:  []Request{Keyed(Post("/pets", rex), "k1")},
			Request: Keyed(Post("/pets", `{"name": "Rexi", "categoryId": 1}`), "k1"),
		},
		"RateLimited/slowDown": {
			config: shopWith(func(c *handlers.Config) { c.RateLimit = 10 }), before: repeated(10, Get("/pets")),
			Request: Get("/pets"),
		},
		"InternalError/broken": {by: breakDown},
		"Unavailable/injected": {Request: Get("/pets").With("Prefer", "code=503")},
		"Unavailable/interrupted": {by: func(t *testing.T, w *World) *Answer {
			w.Server.Close()
			return w.Do(t, Get("/pets").With("Prefer", "delay=60000"))
		}},
		"Unavailable/noRoom": {config: shopWith(func(c *handlers.Config) { c.MaxSandboxes = 1 }),
			Request: InSandbox("ada", Get("/pets"))},
		"Unavailable/serverFull": {config: littleMemory, by: withoutMemory(Post("/pets", rex))},
		"SandboxFull/full": {config: nearlyFull, before: []Request{Post("/pets", rex)},
			Request: Post("/pets", rex)},
		"Failure/badGateway": {Request: Get("/pets").With("Prefer", "code=502")},
	}
}

// nearlyFull configures the server with --max-records 1.
func nearlyFull(c *handlers.Config) { c.Baseline, c.MaxRecords = nil, 1 }

// mostMemory is the memory limit of servers without free memory.
const mostMemory = 1 << 30

// holding is locked by the test that allocates mostMemory, since the limit counts the memory of the
// whole process.
var holding sync.Mutex

func littleMemory(c *handlers.Config) {
	shop(c)
	holding.Lock()
	c.MaxMemory = mostMemory
}

// withoutMemory sends the request to a server while the process has allocated all the memory that
// the server may use.
func withoutMemory(r Request) func(*testing.T, *World) *Answer {
	return func(t *testing.T, w *World) *Answer {
		defer holding.Unlock()
		release := Ballast(mostMemory)
		defer release()
		return w.Do(t, r)
	}
}

// sendTwice locks the store for writing, so that the first of two requests cannot finish, and
// returns the response to the other.
func sendTwice(t *testing.T, w *World, r Request) *Answer {
	t.Helper()
	held, release := make(chan struct{}), make(chan struct{})
	go func() {
		_ = w.Server.Sandboxes().Default().Store.Update(store.Beside{}, func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	answers := make(chan *Answer)
	for range 2 {
		go func() {
			a, err := w.Try(t.Context(), r)
			if err != nil {
				t.Error(err)
			}
			answers <- a
		}()
	}
	refused := <-answers
	close(release)
	if made := <-answers; made == nil || made.Status >= 300 {
		t.Errorf("the first one is answered %+v", made)
	}
	return refused
}
