package contracttest_test

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/contracttest"
)

// parametersInWords returns values of parameters whose syntax the documents describe only in
// words, or that name existing objects.
func parametersInWords(op *schemaOperation) map[string][]string {
	var operations []string
	for _, item := range contracttest.ServiceDocument().Paths.Map() {
		for _, operation := range item.Operations() {
			operations = append(operations, operation.OperationID)
		}
	}
	slices.Sort(operations)
	etags := []string{"*", `"a"`, `W/"a"`, `"a", "b"`}
	known := map[string][]string{
		"petId": {"1", "2"}, "categoryId": {"1", "3"}, "orderId": {"1", "4"}, "messageId": {"1"}, "faultId": {"1"},
		"sandboxName": {"ada", "default"}, "snapshotName": {"before"}, "webhookName": {"shop"}, "deliveryId": {"1"},
		"operationId": operations, "from": {"before"},
		"X-Sandbox": {"default", "ada", "bob"},
		"If-Match":  etags, "If-None-Match": etags,
		"Idempotency-Key": {"k", `"8e03978e-40d5"`},
		"Prefer":          {"code=503", "delay=1", "code=404, delay=1", "respond-async"},
		"wait":            {"1ms", "0s"}, "count": {"1", "7"},
		"access_token": {"demo-key"},
	}
	if op.method == "GET" && op.path == "/pets" {
		delete(known, "categoryId") // it is a filter
	}
	if op.path == "/store/orders" {
		delete(known, "petId")
	}
	if op.OperationID == "listRequests" {
		maps.Copy(known, requestsOfOne)
	}
	return known
}

// requestsOfOne are operations, methods and paths that match one another. Fault rules and journal
// filters must not combine values that no request can match.
var requestsOfOne = map[string][]string{
	"operationId": {"getPet", "getCategory"}, "path": {"/*/7", "/**"}, "method": {"GET", "HEAD"},
}

// inWords changes drawn bodies to obey rules that the documents describe only in words.
var inWords = map[string]func(*rapid.T, *call){
	"setClock":        settleClock,
	"setLifecycle":    settleLifecycle,
	"changeLifecycle": settleLifecycle,
	"createFault":     func(t *rapid.T, c *call) { settleRule(t, c.body.(map[string]any)) },
	"replaceFaults":   settleRules,
	"importState":     func(_ *rapid.T, c *call) { settleState(c.body.(map[string]any)) },
	"importWorld":     settleWorld,
	"makeSandbox":     settleSandbox,
	"createSandbox":   settleSandbox,
	"resetSandbox":    settleSizes,
	"setWebhook": func(t *rapid.T, c *call) {
		body := c.body.(map[string]any)
		body["url"] = rapid.SampledFrom([]string{"http://127.0.0.1:9/", "https://localhost:9/a?b=c", "http://[::1]:9"}).
			Draw(t, "url")
		if body["secret"] != nil {
			body["secret"] = rapid.SampledFrom([]string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}).Draw(t, "secret")
		}
	},
	"forkSandbox": func(t *rapid.T, c *call) {},
	"sendMcpMessage": func(t *rapid.T, c *call) {
		body := c.body.(map[string]any)
		body["method"] = rapid.SampledFrom([]string{"ping", "tools/list", "notifications/initialized"}).
			Draw(t, "method")
		if body["method"] == "notifications/initialized" {
			delete(body, "id")
		} else if body["id"] == nil {
			body["id"] = 1
		}
	},
}

// without deletes fields of an object.
func without(object map[string]any, names ...string) {
	maps.DeleteFunc(object, func(name string, _ any) bool { return slices.Contains(names, name) })
}

func settleSandbox(t *rapid.T, c *call) {
	without(c.body.(map[string]any), "private") // would make the sandbox refuse the other requests
	settleSizes(t, c)
}

func settleClock(t *rapid.T, c *call) {
	body := c.body.(map[string]any)
	if body["now"] != nil {
		delete(body, "advance")
	}
	if body["advance"] != nil {
		body["advance"] = rapid.StringMatching(`-?[0-9]{1,5}h([0-5]?[0-9](\.[0-9]+)?m)?`).Draw(t, "advance")
	}
	if body["now"] == nil && body["advance"] == nil && body["frozen"] == nil {
		body["frozen"] = true
	}
}

func settleLifecycle(t *rapid.T, c *call) {
	body := c.body.(map[string]any)
	if body["deprecated"] != true {
		without(body, "deprecatedSince", "sunset", "successor", "brownout")
	}
	if c.path["operationId"] == "getHealth" {
		without(body, "enforceSunset", "brownout")
	}
	if body["deprecatedSince"] != nil || body["sunset"] != nil {
		body["deprecatedSince"] = rapid.SampledFrom([]string{"2026-01-01", "2026-02-03t04:05:06z"}).
			Draw(t, "deprecatedSince")
	}
	if body["sunset"] != nil {
		body["sunset"] = rapid.SampledFrom([]string{"", "2027-01-01", "2027-01-01T02:00:00.5+02:00"}).Draw(t, "sunset")
	}
	if sunset := body["sunset"]; sunset == "" || body["deprecated"] == false || sunset == nil &&
		c.path["operationId"] != "getPet" {
		without(body, "enforceSunset")
	}
	if body["successor"] != nil {
		body["successor"] = rapid.SampledFrom([]string{"", "/pets", "/v2/pets?a=b"}).Draw(t, "successor")
	}
}

func settleRules(t *rapid.T, c *call) {
	for _, rule := range c.body.([]any) {
		settleRule(t, rule.(map[string]any))
	}
}

func settleRule(t *rapid.T, rule map[string]any) {
	if match, ok := rule["match"].(map[string]any); ok {
		for name, values := range requestsOfOne {
			if match[name] != nil {
				match[name] = rapid.SampledFrom(values).Draw(t, name)
			}
		}
		settleHeaders(match)
	}
	if delay, ok := rule["delay"].(map[string]any); ok {
		for _, name := range []string{"fixedMs", "jitterMs", "p50Ms", "p99Ms"} {
			delete(delay, name)
		}
		if rapid.Bool().Draw(t, "log-normal") {
			delay["p50Ms"], delay["p99Ms"] = int64(80), int64(2000)
		} else {
			delay["fixedMs"], delay["jitterMs"] = int64(200), int64(100)
		}
	}
	if rule["abort"] != nil {
		delete(rule, "status")
	}
	if rule["status"] == nil {
		without(rule, "code", "message", "headers")
	}
	settleHeaders(rule)
	if rule["delay"] == nil && rule["status"] == nil && rule["abort"] == nil {
		delete(rule, "when")
	}
}

func settleHeaders(object map[string]any) {
	if object["headers"] != nil {
		object["headers"] = map[string]any{"X-Tea": "Earl Grey"}
	}
}

func settleSizes(t *rapid.T, c *call) {
	body := c.body.(map[string]any)
	for _, name := range []string{"categories", "pets", "orders"} {
		if body[name] != nil {
			body[name] = rapid.Int64Range(1, 5).Draw(t, name)
		}
	}
	for i, part := range c.query {
		if part.name == "only" { // a new baseline requires a reset of the data
			c.query[i].value += ",data"
		}
	}
}

// settleState makes ids unique and references valid.
func settleState(body map[string]any) {
	delete(body, "next")
	records := func(name string) []any { list, _ := body[name].([]any); return list }
	for name := range body {
		for i, record := range records(name) {
			record.(map[string]any)["id"] = int64(i + 1) // an inventory entry gets a petId instead
		}
	}
	if len(records("categories")) == 0 {
		delete(body, "pets")
	}
	for _, pet := range records("pets") {
		pet.(map[string]any)["categoryId"] = int64(len(records("categories")))
	}
	for _, order := range records("orders") {
		order.(map[string]any)["petId"] = nil
	}
	if stock := records("inventory"); stock != nil {
		stock = stock[:min(len(stock), len(records("pets")))]
		for i, item := range stock {
			item.(map[string]any)["petId"] = int64(i + 1)
			without(item.(map[string]any), "id", "status")
		}
		body["inventory"] = stock
	}
}

// settleWorld makes all states of a world share one baseline.
func settleWorld(t *rapid.T, c *call) {
	body := c.body.(map[string]any)
	without(body, "generated", "nextFault", "journal") // an import ignores the journal
	baseline, ok := body["baseline"].(map[string]any)
	if !ok {
		baseline = map[string]any{}
		body["baseline"] = baseline
	}
	settleState(baseline)
	settleDifference := func(state any) {
		if state, ok := state.(map[string]any); ok {
			without(state, "categories", "pets", "inventory", "removed")
			settleState(state)
		}
	}
	settleDifference(body["state"])
	snapshots, _ := body["snapshots"].([]any)
	for i, snapshot := range snapshots {
		snapshot := snapshot.(map[string]any)
		snapshot["name"] = fmt.Sprint("s", i)
		settleDifference(snapshot["state"])
	}
	for _, name := range []string{"faults", "serverFaults"} {
		rules, _ := body[name].([]any)
		for _, rule := range rules {
			settleRule(t, rule.(map[string]any))
			without(rule.(map[string]any), "id", "applied")
		}
	}
	if body["operations"] != nil {
		body["operations"] = map[string]any{"createPet": map[string]any{"deprecated": true,
			"deprecatedSince": "2026-01-01", "sunset": "2027-01-01", "stability": "beta"}}
	}
}
