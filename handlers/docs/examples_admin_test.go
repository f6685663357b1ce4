package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
)

// adminExamples returns requests for the examples of admin.yaml.
func adminExamples() map[string]provocation {
	all := adminErrors()
	maps.Copy(all, worldExamples())
	maps.Copy(all, webhookExamples())
	do := func(key string, config func(*handlers.Config), r Request, before ...Request) {
		all[key] = provocation{config: config, Request: r, before: before}
	}
	const small = `{
		"categories": [{"id": 1, "name": "Dogs", "description": "Loyal, loud and always hungry"}],
		"pets": [{"id": 7, "name": "Rex", "categoryId": 1, "status": "sold"}],
		"orders": [{"id": 12, "petId": 7, "quantity": 1, "shipDate": "2026-03-14T09:30:00Z", "complete": true}],
		"messages": [{"id": 1, "message": "Is Rex still available?", "createdAt": "2026-03-14T09:30:00Z"}]
	}`
	do("exportState/200/small", starting(small), Get("/admin/state"))
	do("exportState/200/empty", starting(`{}`), Get("/admin/state"))
	order, sale := Post("/store/orders", `{"petId": 7}`), Patch("/pets/7", `{"status": "sold"}`)
	do("diffState/200/sold",
		starting(`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [{"id": 7, "name": "Rex", "categoryId": 1}],
		"inventory": [{"petId": 7, "quantity": 1}], "next": {"order": 51}}`), Get("/admin/state/diff"), order, sale)
	do("diffState/200/none", nil, Get("/admin/state/diff"))

	keep, later := Put("/admin/snapshots/checkout", ""),
		Put("/admin/clock", `{"now": "2026-03-14T09:42:00Z", "frozen": true}`)
	anOrder, aMessage := Post("/store/orders", `{}`),
		Post("/messages", `{"message": "Hello"}`).WithKey("demo-key")
	do("keepSnapshot/201/checkout", generated, keep, anOrder)
	do("keepSnapshot/200/checkout", generated, keep, keep, anOrder)
	do("listSnapshots/200/two", generated, Get("/admin/snapshots"), anOrder, keep, anOrder, aMessage, later,
		Put("/admin/snapshots/sold-out", ""))
	do("listSnapshots/200/changes", generated, Get("/admin/snapshots?changes=true"), anOrder, keep, anOrder, aMessage)
	do("listSnapshots/200/none", nil, Get("/admin/snapshots"))
	frozen := Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`)
	do("ClockReading/real", nil, Get("/admin/clock"))
	do("ClockReading/frozen", nil, frozen)

	getPet := Get("/pets/7").With("User-Agent", "shop-app/2.1").With("X-Client", "web")
	last := Put("/admin/clock", `{"now": "2026-03-14T09:41:12Z", "frozen": true}`)
	do("getReport/200/used", nil, Get("/admin/report"), append(repeated(13, getPet), last, getPet)...)
	do("getReport/200/unused", nil, Get("/admin/report"))
	retire := SetLifecycle("createPet",
		`{"deprecated": true, "deprecatedSince": "2026-04-01", "sunset": "2026-06-30", "successor": "/categories", `+
			`"enforceSunset": true}`)
	do("setLifecycle/200/retired", nil, retire, repeated(3, Post("/pets", NewPet))...)
	enforce := Patch("/admin/operations/getPet", `{"enforceSunset": true}`)
	do("changeLifecycle/200/enforced", nil, enforce, repeated(3, Get("/pets/7"))...)
	all["listOperations/200/some"] = provocation{before: append(repeated(14, Get("/pets")),
		repeated(3, Get("/pets/7"))...), by: someOperations}

	fault := Post("/admin/faults",
		`{"match": {"operationId": "createPet"}, "times": 2, "status": 503, "headers": {"Retry-After": "1"}}`)
	do("createFault/201/failTwice", nil, fault)
	do("FaultRules/none", nil, Get("/admin/faults"))
	all["FaultRules/one"] = provocation{before: []Request{fault}, by: func(t *testing.T, w *World) *Answer {
		w.Do(t, Post("/pets", NewPet)).Expect(t, 503, "unavailable")
		return w.Get(t, "/admin/faults")
	}}
	do("listRequests/200/one", generated, Get("/admin/requests"),
		Post("/pets", `{"name": "Rex", "categoryId": 1}`).With("User-Agent", "shop-app/2.1").
			With("Host", "localhost:8080"))
	do("sendMcpMessage/200/done", nil, callTool(`{"name": "clear_faults", "arguments": {}}`))
	do("sendMcpMessage/200/noMethod", nil, Post("/mcp", `{"jsonrpc": "2.0", "id": 3, "method": "tools/run"}`))
	do("sendMcpMessage/200/unknown", nil, callTool(`{"name": "fly"}`))
	do("listRequests/200/timedOut", nil, Get("/admin/requests?count=1&wait=1ms"))

	const seeded = `{"seed": 7}`
	ada, bob := Put("/admin/sandboxes/Ada%20Lovelace", seeded), Put("/admin/sandboxes/bob", seeded)
	do("makeSandbox/201/ada", generated, ada)
	do("makeSandbox/201/private", generated,
		Put("/admin/sandboxes/Ada%20Lovelace", `{"key": "3vOxdbGKsrG6Gq1Yv5bL", "private": true}`))
	do("makeSandbox/200/ada", generated, ada, ada)
	all["createSandbox/201/new"] = provocation{config: two, by: func(t *testing.T, w *World) *Answer {
		a := w.Do(t, Post("/admin/sandboxes", seeded))
		var made struct{ Name string }
		a.Decode(t, &made)
		a.Body = bytes.ReplaceAll(a.Body, []byte(made.Name), []byte("ejdy3lu2o3fvqktj.two"))
		return a
	}}
	do("NoSuchSandbox/otherReplica", two, Get("/admin/sandboxes/ada.one"))
	do("forkSandbox/201/ada", generated, Post("/admin/sandboxes/bob/fork", `{"name": "Ada Lovelace"}`), bob)
	do("getSandbox/200/ada", generated, Get("/admin/sandboxes/Ada%20Lovelace"), ada)
	titled := Put("/admin/workshop", `{"title": "APIs for designers"}`)
	do("getWorkshop/200/open", workshop, Get("/admin/workshop"), titled, join("Ada Lovelace"), join("Grace Hopper"))
	do("getDoor/200/welcome", func(c *handlers.Config) { workshop(c); c.AdminKey = "teacher" }, Get("/join/door"),
		titled.WithKey("teacher"))
	all["joinWorkshop/201/ada"] = provocation{config: workshop, by: func(t *testing.T, w *World) *Answer {
		a := w.Do(t, join("Ada Lovelace").With("Host", "192.168.1.20:8080"))
		var attendee struct{ Key string }
		a.Decode(t, &attendee)
		a.Body = bytes.Replace(a.Body, []byte(attendee.Key), []byte("4TZQ5HFVKJ7E2NWXUAMPC3YDLG"), 1)
		return a
	}}
	do("setWorkshop/200/closed", workshop, Put("/admin/workshop", `{"open": false}`))
	do("endWorkshop/200/ended", workshop, Post("/admin/workshop/end", ""), join("Ada Lovelace"))
	do("getTemplate/200/fresh", generated, Get("/admin/template"))
	lesson := Put("/admin/sandboxes/lesson-2", seeded)
	do("setTemplate/200/lesson", generated, Put("/admin/template", `{"from": "lesson-2"}`),
		lesson, InSandbox("lesson-2", frozen), InSandbox("lesson-2", Post("/admin/faults", `{"status": 503}`)))
	all["listSandboxes/200/two"] = provocation{config: generated, by: func(t *testing.T, w *World) *Answer {
		for _, r := range []Request{ada, Delete("/pets/7"), Get("/pets")} {
			w.Must(t, r)
		}
		w.Do(t, Get("/pets/7")).Expect(t, 404, "not_found")
		w.Must(t, frozen)
		w.Must(t, Post("/admin/faults", `{"status": 503}`))
		return w.Get(t, "/admin/sandboxes")
	}}
	do("Summary/seeded", generated, Get("/admin"),
		slices.Concat(repeated(9, Get("/pets")), restocked(3), []Request{keep, Put("/admin/sandboxes/ada", "")})...)
	do("Summary/fromFile",
		shopWith(func(c *handlers.Config) { starting(smallShop)(c); c.Journal, c.Replica = new(10), "petstore-2" }),
		InSandbox("ada", Get("/admin")),
		append(repeated(12, InSandbox("ada", Get("/pets"))), InSandbox("ada", frozen),
			InSandbox("ada", Put("/admin/faults", `[{"status": 503}, {"status": 500}]`)))...)
	return all
}

// workshop configures the shop for a workshop that is reachable over the network.
func workshop(c *handlers.Config) {
	shop(c)
	c.Workshop, c.Addresses = true, func() []string { return []string{"http://192.168.1.20:8080"} }
}

// two configures the shop as a replica with generated data.
func two(c *handlers.Config) {
	generated(c)
	c.Replica, c.Sharded = "two", true
}

func callTool(params string) Request {
	return Post("/mcp", `{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": `+params+`}`)
}

func join(name string) Request { return Post("/join", `{"name": "`+name+`"}`) }

const smallShop = `{
	"categories": [{"id": 1, "name": "Dogs"}, {"id": 2, "name": "Cats"}],
	"pets": [{"id": 1, "name": "Rex", "categoryId": 1}, {"id": 2, "name": "Misty", "categoryId": 2}, {"id": 3, "name": "Tom", "categoryId": 2}],
	"orders": [{"id": 1}],
	"messages": [{"id": 1, "message": "Hello", "createdAt": "2026-03-14T09:30:00Z"}]
}`

// generated configures the server with generated data.
func generated(c *handlers.Config) { shop(c); c.Baseline = nil }

// someOperations returns two operations of listOperations.
func someOperations(t *testing.T, w *World) *Answer {
	t.Helper()
	a := w.Get(t, "/admin/operations")
	var all []map[string]any
	a.Decode(t, &all)
	all = slices.DeleteFunc(all, func(op map[string]any) bool {
		return op["operationId"] != "listPets" && op["operationId"] != "getPet"
	})
	a.Body = must.Get(json.Marshal(all))(t)
	return a
}

func adminErrors() map[string]provocation {
	return map[string]provocation{
		"BadRequest/invalidParameter": {Request: InSandbox("*", Get("/admin"))},
		"BadRequest/validationFailed": {Request: Post("/admin/undo", `{"steps": 0}`)},
		"BadRequest/invalidJson":      {Request: Post("/admin/undo", `{"steps"`)},
		"BadState/unknownCategory": {Request: Put("/admin/state",
			`{"categories": [{"id": 1, "name": "Dogs"}], "pets": [`+threeDogs+`{"id": 4, "name": "Rex", `+
				`"categoryId": 99}]}`)},
		"BadState/invalidJson":      {Request: Put("/admin/state", "{\n\n  \"pets\": [")},
		"BadState/invalidParameter": {Request: Put("/admin/state?baseline=yes", `{}`)},
		"Unauthorized/noKey": {config: shopWith(func(c *handlers.Config) { c.AdminKey = "secret" }),
			Request: Get("/admin")},
		"Forbidden/foreignHost":   {Request: Get("/admin").With("Host", "petstore.example")},
		"Forbidden/proxy":         {Request: Get("/admin").With("Via", "1.1 proxy")},
		"Forbidden/foreignOrigin": {Request: Post("/admin/reset", "").With("Origin", "https://petstore.example")},
		"Forbidden/otherSandbox": {config: shopWith(func(c *handlers.Config) { c.AdminKey = "secret" }),
			by: byOtherKey(Get("/admin"))},
		"Forbidden/otherData": {by: byOtherKey(InSandbox("grace", Post("/admin/reset", `{"seed": 7}`)))},
		"NotFound/noSnapshot": {Request: Delete("/admin/snapshots/checkout")},
		"NotFound/noRequest":  {Request: Get("/admin/state?at=99")},
		"HistoryGone/undone": {before: append(restocked(2), Post("/admin/undo", "")),
			Request: Get("/admin/state?at=2")},
		"NotFound/unknownSandbox":       {Request: InSandbox("grace", Get("/admin/state/diff"))},
		"UnknownSandbox/unknownSandbox": {Request: InSandbox("grace", Get("/admin"))},
		"PreconditionFailed/changed":    {config: generated, Request: Get("/admin/sandboxes").With("If-Match", `"0"`)},
		"NoSuchSandbox/noSandbox":       {Request: Delete("/admin/sandboxes/ada")},
		"NoWorkshop/noWorkshop":         {Request: Get("/admin/workshop")},
		"DoorClosed/closed": {config: workshop,
			before: []Request{Put("/admin/workshop", `{"open": false}`)}, Request: join("Ada")},
		"DoorClosed/full": {config: workshop,
			before: []Request{Put("/admin/workshop", `{"limit": 1}`), join("Ada")}, Request: join("Grace")},
		"DoorClosed/foreignOrigin": {config: workshop, Request: join("Ada").With("Origin", "https://petstore.example")},
		"TooManyAttendees/tooMany": {config: shopWith(func(c *handlers.Config) { c.Workshop = true }),
			by: func(t *testing.T, w *World) *Answer {
				w.Must(t, Put("/admin/workshop", `{"limit": 9999}`))
				for {
					if a := w.Do(t, join("Ada")); a.Status != 201 {
						return a
					}
				}
			}},
		"WorkshopEnded/ended": {config: workshop, before: []Request{Post("/admin/workshop/end", "")},
			Request: Put("/admin/sandboxes/ada", "")},
		"SandboxExists/ended": {config: workshop, before: []Request{Post("/admin/workshop/end", "")},
			Request: Post("/admin/sandboxes/default/fork", `{"name": "ada"}`)},
		"NothingToUndo/tooMany": {before: restocked(3), Request: Post("/admin/undo", `{"steps": 4}`)},
		"DefaultStays/default":  {Request: Delete("/admin/sandboxes/default")},
		"SandboxExists/exists": {before: []Request{Put("/admin/sandboxes/grace", "")},
			Request: Post("/admin/sandboxes/default/fork", `{"name": "grace"}`)},
		"PayloadTooLarge/tooLarge":     {Request: Put("/admin/clock", strings.Repeat(" ", 1<<20+1))},
		"UnsupportedMediaType/notJson": {Request: Textual(Post("/admin/undo", `{}`))},
		"InternalError/broken":         {by: breakDown},
		"Unavailable/streams": {by: func(t *testing.T, w *World) *Answer {
			for range 1000 {
				must.Get(w.Server.Sandboxes().Default().Journal.Listen(0, false))(t)
			}
			return w.Do(t, Get("/admin/events"))
		}},
		"NoRoom/interrupted": {by: func(t *testing.T, w *World) *Answer {
			w.Server.Close()
			return sendTwice(t, w, Put("/admin/state", `{}`)) // one of them waits for its turn
		}},
		"Unavailable/serverFull": {config: littleMemory,
			before: []Request{Put("/admin/state", `{"messages": `+manyMessages(400)+`}`)},
			by:     withoutMemory(Get("/admin/state"))},
		"NoRoom/serverFull": {config: littleMemory, by: withoutMemory(Put("/admin/snapshots/now", ""))},
		"NoRoom/noRoom": {config: shopWith(func(c *handlers.Config) { c.MaxSandboxes = 1 }),
			Request: InSandbox("ada", Post("/admin/reset", ""))},
		"SandboxFull/records": {config: nearlyFull,
			Request: Put("/admin/state", `{"messages": `+manyMessages(160)+`}`)},
		"SandboxFull/faults": {before: []Request{Put("/admin/faults", listOf(1000, `{"status": 503}`))},
			Request: Post("/admin/faults", `{"status": 503}`)},
		"SandboxFull/webhooks":  {before: webhooks(10), Request: Put("/admin/webhooks/one-more", anyWebhook)},
		"SandboxFull/snapshots": {before: snapshots(100), Request: Put("/admin/snapshots/one-more", "")},
	}
}

// byOtherKey makes the request with the key of Grace's private sandbox.
func byOtherKey(r Request) func(*testing.T, *World) *Answer {
	return func(t *testing.T, w *World) *Answer {
		w.Make(t, "grace", registry.CreateOptions{Key: new("graces-key"), Private: new(true)})
		return w.Do(t, r.WithKey("graces-key"))
	}
}

const threeDogs = `{"id": 1, "name": "Rex", "categoryId": 1}, {"id": 2, "name": "Rex", "categoryId": 1}, {"id": 3, ` +
	`"name": "Rex", "categoryId": 1}, `

func manyMessages(n int) string {
	var messages []string
	for i := range n {
		messages = append(messages,
			fmt.Sprintf(`{"id": %d, "message": "Hello", "createdAt": "2026-03-14T09:30:00Z"}`, i+1))
	}
	return "[" + strings.Join(messages, ",") + "]"
}

func snapshots(n int) (keep []Request) {
	for i := range n {
		keep = append(keep, Put(fmt.Sprintf("/admin/snapshots/s%d", i), ""))
	}
	return keep
}
