package docs_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/store"
)

// serviceExamples returns requests for the examples of openapi.yaml.
func serviceExamples() map[string]provocation {
	all := serviceErrors()
	next := func(kind string, id int) func(*handlers.Config) {
		return starting(fmt.Sprintf(`{"categories": [{"id": 1, "name": "Dogs"}, {"id": 2, "name": "Cats"}], "next": {%q: %d}}`, kind, id))
	}
	nextOrder := func(id int) func(*handlers.Config) {
		return starting(fmt.Sprintf(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "Rex", "categoryId": 1}], "next": {"order": %d}}`, id))
	}
	do := func(key string, config func(*handlers.Config), r request) {
		all[key] = provocation{config: config, request: r}
	}
	const rex, misty = `{"name": "Rex", "categoryId": 1}`, `{"name": "Misty", "categoryId": 2, "status": "pending"}`
	do("listPets/200/page", nil, get("/pets?limit=2"))
	do("listPets/200/noMatch", nil, get("/pets?name=nobody"))
	do("createPet/201/dog", next("pet", 7), post("/pets", rex))
	do("createPet/201/pendingCat", next("pet", 12), post("/pets", misty))
	do("getPet/200/dog", nil, get("/pets/7"))
	do("replacePet/200/dog", nil, put("/pets/7", rex))
	do("updatePet/200/sold", nil, patch("/pets/7", `{"status": "sold"}`))

	const reptiles = `{"name": "Reptiles", "description": "Geckos, tortoises and other scaly friends"}`
	do("listCategories/200/page", nil, get("/categories?limit=2"))
	do("listCategories/200/noMatch", nil, get("/categories?name=none"))
	do("createCategory/201/reptiles", next("category", 9), post("/categories", reptiles))
	do("createCategory/201/nameOnly", next("category", 10), post("/categories", `{"name": "Birds"}`))
	do("getCategory/200/reptiles", nil, get("/categories/9"))
	do("getCategory/200/nameOnly", nil, get("/categories/10"))
	do("replaceCategory/200/reptiles", nil, put("/categories/9", reptiles))
	do("updateCategory/200/reptiles", nil, patch("/categories/9", `{"description": "Geckos, tortoises and other scaly friends"}`))
	do("updateCategory/200/nameOnly", nil, patch("/categories/10", `{"description": null}`))

	const twoDogs = `{"petId": 7, "quantity": 2, "shipDate": "2026-03-14T09:30:00Z"}`
	do("listOrders/200/page", nil, get("/store/orders?limit=2"))
	do("listOrders/200/noMatch", nil, get("/store/orders?petId=8"))
	do("createOrder/201/twoDogs", nextOrder(12), post("/store/orders", twoDogs))
	do("createOrder/201/empty", nextOrder(13), post("/store/orders", `{}`))
	do("getOrder/200/open", nil, get("/store/orders/12"))
	do("getOrder/200/bare", nil, get("/store/orders/13"))
	do("replaceOrder/200/complete", nil, put("/store/orders/12", `{"petId": 7, "quantity": 2, "shipDate": "2026-03-14T09:30:00Z", "complete": true}`))
	do("updateOrder/200/complete", nil, patch("/store/orders/12", `{"complete": true}`))

	do("listInventory/200/page", nil, get("/store/inventory?limit=2"))
	do("listInventory/200/noMatch", nil, get("/store/inventory?status=sold"))
	do("getInventoryItem/200/inStock", nil, get("/store/inventory/7"))
	do("updateInventory/200/inStock", nil, put("/store/inventory/7", `{"quantity": 24}`))

	keyed := func(r request) request { return by("Authorization", "Bearer demo-key", r) }
	do("listMessages/200/page", nil, keyed(get("/messages")))
	do("listMessages/200/none", next("message", 1), keyed(get("/messages")))
	do("createMessage/201/greeting", next("message", 1), keyed(post("/messages", `{"message": "Is Rex still available?"}`)))
	do("getMessage/200/greeting", nil, keyed(get("/messages/1")))
	do("getHealth/200/up", nil, get("/healthz"))
	all["getHealth/503/draining"] = provocation{by: func(t *testing.T, w *world) *answer {
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
		"BadRequest/validationFailed": {request: post("/pets", `{"name": ""}`)},
		"BadRequest/invalidParameter": {request: get("/pets?limit=0")},
		"BadRequest/invalidJson":      {request: post("/pets", `{"name": "Bello"`)},
		"Forbidden/otherSandbox": {by: func(t *testing.T, w *world) *answer {
			if _, _, _, err := w.Server.Sandboxes().MakeOwned("ada", registry.CreateOptions{}, registry.Ownership{Private: new(true)}); err != nil {
				t.Fatal(err)
			}
			return byOtherKey(inSandbox("ada", get("/pets")))(t, w)
		}},
		"Unauthorized/noKey":              {request: get("/messages")},
		"NotFound/noPet":                  {request: get("/pets/4711")},
		"NotFound/unknownSandbox":         {config: explicit, request: inSandbox("grace", get("/pets/7"))},
		"UnknownSandbox/unknownSandbox":   {config: explicit, request: inSandbox("grace", get("/pets"))},
		"UnknownSandbox/inAWorkshop":      {config: workshop, request: inSandbox("grace", get("/pets"))},
		"UnknownSandbox/afterTheWorkshop": {config: workshop, before: []request{post("/admin/workshop/end", "")}, request: inSandbox("grace", get("/pets"))},
		"Conflict/stillRunning":           {by: func(t *testing.T, w *world) *answer { return sendTwice(t, w, keyed(post("/pets", newPet), "k1")) }},
		"CategoryInUse/inUse":             {request: drop("/categories/3")},
		"Sunset/gone":                     {config: afterSunset, request: get("/pets/7")},
		"PreconditionFailed/changed":      {request: by("If-Match", `"old"`, put("/pets/7", rex))},
		"PayloadTooLarge/tooLarge":        {request: post("/pets", strings.Repeat(" ", 1<<20+1))},
		"UnsupportedMediaType/notJson":    {request: textual(post("/pets", rex))},
		"Unprocessable/unknownCategory":   {request: post("/pets", `{"name": "Rex", "categoryId": 99}`)},
		"Unprocessable/unknownPet":        {request: post("/store/orders", `{"petId": 4711}`)},
		"Unprocessable/keyReused": {
			before: []request{keyed(post("/pets", rex), "k1")}, request: keyed(post("/pets", `{"name": "Rexi", "categoryId": 1}`), "k1"),
		},
		"RateLimited/slowDown": {
			config: shopWith(func(c *handlers.Config) { c.RateLimit = 10 }), before: repeated(10, get("/pets")), request: get("/pets"),
		},
		"InternalError/broken": {by: breakDown},
		"Unavailable/injected": {request: by("Prefer", "code=503", get("/pets"))},
		"Unavailable/interrupted": {by: func(t *testing.T, w *world) *answer {
			w.Server.Close()
			return w.Do(t, by("Prefer", "delay=60000", get("/pets")))
		}},
		"Unavailable/noRoom":     {config: shopWith(func(c *handlers.Config) { c.MaxSandboxes = 1 }), request: inSandbox("ada", get("/pets"))},
		"Unavailable/serverFull": {config: littleMemory, by: withoutMemory(post("/pets", rex))},
		"SandboxFull/full":       {config: nearlyFull, before: []request{post("/pets", rex)}, request: post("/pets", rex)},
		"Failure/badGateway":     {request: by("Prefer", "code=502", get("/pets"))},
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
func withoutMemory(r request) func(*testing.T, *world) *answer {
	return func(t *testing.T, w *world) *answer {
		defer holding.Unlock()
		release := contracttest.Ballast(mostMemory)
		defer release()
		return w.Do(t, r)
	}
}

// sendTwice locks the store for writing, so that the first of two requests cannot finish, and
// returns the response to the other.
func sendTwice(t *testing.T, w *world, r request) *answer {
	t.Helper()
	held, release := make(chan struct{}), make(chan struct{})
	go func() {
		_ = w.Server.Sandboxes().Default().Store.Update(func(*store.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	answers := make(chan *answer)
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
