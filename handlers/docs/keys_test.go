package docs_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPageFillsInTheDemoKey checks that listMessages succeeds with the filled-in demo-key if the
// server accepts it, and that the page fills in no other key.
func TestPageFillsInTheDemoKey(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Messages/listMessages")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")

	keyed := openDocs(t, NewWorld(t, func(c *handlers.Config) { c.APIKeys = []string{"secret"} }),
		"/docs/#/Messages/listMessages")
	keyed.Allow("status of 401")
	keyed.Click("button", "Execute")
	keyed.WaitText(".live-response .status", "401")
}

// TestPageFillsInSandboxKey checks that the page uses the key in its address or its tab: for
// the service in a private sandbox, and for the admin API everywhere. It hides the key, and leaves out the
// operations that the key does not open.
func TestPageFillsInSandboxKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w.Must(t, Put("/admin/sandboxes/safe", `{"key": "key-of-safe", "private": true}`).WithKey("teacher"))
	var ada struct{ Key string }
	w.Do(t, Post("/join", `{"name": "Ada"}`)).Decode(t, &ada)

	try := func(p *browsertest.Page, tag, operation string) {
		t.Helper()
		p.Wait(`document.querySelector("#operations-` + tag + `-` + operation + `")`)
		browsertest.Eval[any](p,
			`void document.querySelector("#operations-`+tag+`-`+operation+` .opblock-summary-control").click()`)
		p.Click("button", "Execute")
		p.WaitText(".live-response .status", "200")
	}
	p := browsertest.Open(t, w.URL+"/sandboxes/safe/docs/#key=key-of-safe")
	try(p, "Messages", "listMessages")
	if address := browsertest.Eval[string](p, "location.href"); strings.Contains(address, "key-of") {
		t.Errorf("the address is %s", address)
	}
	p.Open(w.URL + "/sandboxes/ada/docs/?document=admin#key=" + ada.Key)
	try(p, "Clock", "getClock")
	p.WaitText(".introduction .key", "Your key ••••••••")
	p.Wait(`!document.body.textContent.includes("` + ada.Key + `")`)
	p.Click("button", "Show")
	p.WaitText(".introduction .key code", ada.Key)
	p.Click("button", "Hide")
	p.WaitText(".introduction .key code", "••••••••")
	p.Wait(`document.getElementById("operations-tag-Faults") && !document.getElementById("operations-tag-Webhooks")`)
	p.In(".side").See("link", "Data access")
	p.In(".side").Miss("link", "Access")
	p.Wait(`!document.getElementById("operations-tag-Workshop")`)
	browsertest.Eval[any](p, `void (location.hash = "#/Admin/resetSandbox")`)
	p.WaitText(".request .line", "Cannot be undone")
	p.See("checkbox", "journal")
	p.Miss("checkbox", "webhooks")
	p.Open(w.URL + "/sandboxes/ada/docs/?document=admin#/Sandboxes/listSandboxes")
	p.WaitText("#trouble", "listSandboxes needs the admin key of the server.")
	browsertest.Eval[any](p, `void (location.hash = "#/Clock/getClock")`)
	p.Wait(`document.getElementById("trouble").hidden`)
	p.Click("link", "Pet store")
	p.WaitText(".introduction .key", "Only the Messages operations need it. Your own key is for the Admin API.")
	p.Wait(`document.querySelectorAll(".introduction .key").length === 1`)
	browsertest.Eval[any](p, `void (sessionStorage.clear(), sessionStorage.setItem("petstore.key /", "teacher"))`)
	p.Open(w.URL + "/sandboxes/safe/docs/")
	try(p, "Pets", "listPets")
}

// TestPageKeepsKey checks that a refused key is marked, and that a typed one outlasts a reload and a
// change of the document, opens the clock, and reaches the dashboard.
func TestPageKeepsKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "teacher", []string{"secret"} })
	p := browsertest.Open(t, w.URL+"/docs/?document=admin#/Clock/getClock")
	p.Allow("status of 401")
	p.WaitText(".request pre", "Bearer KEY")
	p.Resize(375, 700)
	p.Click("button", "Execute")
	p.Wait(`document.activeElement.matches(".request .key [aria-invalid=true]")`)
	p.Wait(`(({top, bottom}) => bottom <= innerHeight && top >= document.querySelector(".is-open > .opblock-summary").getBoundingClientRect().bottom)(document.activeElement.getBoundingClientRect())`)
	p.Resize(1280, 800)
	p.In(".request").Fill("textbox", "Key", "teacher")
	p.Wait(`!document.querySelector("[aria-invalid=true]")`)
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	p.Click("link", "Pet store")
	p.Wait(`document.querySelector(".introduction .panel")?.textContent.includes("Bearer KEY")`)
	p.Fill("textbox", "Key", "ключ") // of another keyboard; fetch takes no such headers by itself
	p.Wait(`document.querySelector(".introduction .panel")?.textContent.includes("Bearer ключ")`)
	p.Fill("textbox", "Key", "secret")
	for document, want := range map[string]string{"?document=admin": "teacher", "": "secret"} {
		p.Open(w.URL + "/docs/" + document)
		p.Wait(`document.querySelector(".introduction .key input")?.value === "` + want + `"`)
	}
	p.Open(w.URL + "/?view=data")
	p.See("link", "Docs")
	p.Wait(`document.querySelector("tbody tr")`)
}

// TestPageWithoutAnyKey checks that the page works without a key, and says what a key adds.
func TestPageWithoutAnyKey(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	p := browsertest.Open(t, w.URL+"/docs/#/Pets/getPet")
	p.Allow("status of 401")
	p.WaitText(".note.deprecation", "Deprecated. Sunset on 2030-12-31.")
	p.WaitText(".introduction .key small", "Only the Messages operations need it.")
	browsertest.Eval[any](p, `void sessionStorage.setItem("petstore.key /", "secret")`)
	p.Open(w.URL + "/docs/?document=admin")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	p.Wait(`document.querySelector(".introduction input").value === "secret"`)
}
