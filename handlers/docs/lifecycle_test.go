package docs_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPageOfDeprecatedOperations checks the lifecycle note of an operation, follows the link to its
// successor by keyboard, and checks the note after changes.
func TestPageOfDeprecatedOperations(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/#/Pets/getPet")
	p.WaitText("#operations-Pets-getPet .note",
		"Deprecated since 2026-01-01. Sunset on 2030-12-31: 1,644 days left. Use instead: listPets /pets?id={petId}")
	p.WaitText("#operations-Pets-getPet .opblock-summary", "deprecated")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	browsertest.Eval[any](p, `void document.querySelector(".note a").focus()`)
	p.Press(browsertest.Enter)
	p.Wait(
		`document.querySelector("#operations-Pets-listPets .opblock-body") && location.hash === "#/Pets/listPets?id=7"`)
	p.Wait(`document.activeElement.closest("#operations-Pets-listPets")`)
	p.Wait(`[...document.querySelectorAll(".side a[aria-current]")].map((a) => a.hash).join() === "#/Pets/listPets"`)
	p.Click("button", "Travel to 2030-12-31")
	p.WaitText("#clock", "2030-12-31 00:00 UTC, set")
	p.WaitText("#operations-Pets-getPet .note", "Its sunset is today, 2030-12-31.")
	p.WaitText("#operations-Pets-getPet .badge", "past sunset")
	p.Click("button", "Back to now")
	p.WaitText("#clock", "2026-07-01 12:00 UTC")
	p.See("button", "Travel to 2030-12-31")

	for _, c := range []struct{ clock, lifecycle, want string }{
		{`{"now": "2030-12-30T12:00:00Z", "frozen": true}`, `{"enforceSunset": true}`,
			"Sunset on 2030-12-31: less than a day left. It answers 410 from then on."},
		{`{"now": "2030-12-31T12:00:00Z", "frozen": true}`, `{}`,
			"Its sunset is today, 2030-12-31. It still answers, because the sunset is not enforced."},
		{`{"now": "2031-01-01T00:00:00Z", "frozen": true}`, `{"enforceSunset": true}`,
			"Gone since 2030-12-31. It answers 410."},
		{`{"now": "2026-07-01T00:00:00Z"}`, `{"deprecatedSince": "2026-07-03", "sunset": "", "brownout": 0.25}`,
			"Deprecated from 2026-07-03 on, in 2 days. No sunset date is set. In a brown-out: 25 % of the calls are " +
				"answered 410."},
		{`{"now": "2026-07-01T00:00:00Z"}`, `{"successor": "/nowhere"}`, "Use instead: /nowhere"},
	} {
		p.Hide(true)
		w.Must(t, Put("/admin/clock", c.clock))
		w.Must(t, Put("/admin/operations/getPet", c.lifecycle))
		p.Hide(false)
		p.WaitText("#operations-Pets-getPet .note", c.want)
		badge := "deprecated"
		if strings.Contains(c.want, "It still answers") {
			badge = "past sunset"
		}
		if strings.HasSuffix(c.want, " It answers 410.") {
			badge = "gone"
			p.Wait(`(open => open.querySelector(".responses .status").textContent === "410" &&
				!open.querySelector(".sample"))(document.querySelector("#operations-Pets-getPet"))`)
			p.WaitText(".side .badge", "gone")
		}
		p.WaitText("#operations-Pets-getPet .badge", badge)
	}
	w.Must(t, Put("/admin/operations/getPet", `{"deprecated": false}`))
	p.Hide(false)
	p.Wait(`!document.querySelector("#operations-Pets-getPet .note, #operations-Pets-getPet .badge")`)
}

// TestResponseOfADeprecatedOperation checks that a response lists its headers about the lifecycle above its
// body, with the date in words and the successor as a link.
func TestResponseOfADeprecatedOperation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Put("/admin/sandboxes/ada", `{}`))
	p := openDocs(t, w, "/sandboxes/ada/docs/#/Pets/getPet")
	p.Fill("textbox", "petId", "1")
	p.Click("button", "Execute")
	p.WaitText(".note.deprecation", "Use instead: ")
	p.WaitText(".live-response dl", "Deprecation @1767225600 (2026-01-01)")
	p.WaitText(".live-response dl", `299 - "getPet is deprecated since 2026-01-01`)
	p.Wait(`[...document.querySelectorAll(".live-response dl a")].find((link) => link.textContent.endsWith("/pets?id=1")).hash === "#/Pets/listPets?id=1"`)
}

// TestPageHearsOfASunset checks that a page without the admin key says of a deprecated operation what a response
// says, and counts no days before.
func TestPageHearsOfASunset(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	w.Must(t, Put("/admin/sandboxes/ada", `{}`).WithKey("secret"))
	w.Must(t, Put("/sandboxes/ada/admin/clock", `{"now": "2031-01-01T00:00:00Z"}`).WithKey("secret"))
	p := browsertest.Open(t, w.URL+"/sandboxes/ada/docs/#/Pets/getPet")
	p.Allow("status of 401")
	p.Wait(`document.querySelector(".note.deprecation")?.textContent === "Deprecated. Sunset on 2030-12-31."`)
	p.Fill("textbox", "petId", "1")
	p.Click("button", "Execute")
	p.WaitText(".note.deprecation",
		"getPet is deprecated since 2026-01-01 and was to be removed on 2030-12-31. Use instead: "+
			"/sandboxes/ada/pets?id=1")
	p.Wait(`document.querySelector(".note.deprecation a").hash === "#/Pets/listPets?id=1"`)
}

// TestSuccessorTakesTheForm follows the link to a successor, which has the values of the form.
func TestSuccessorTakesTheForm(t *testing.T) {
	t.Parallel()
	p := openDocs(t, NewWorld(t), "/docs/#/Pets/getPet")
	p.Fill("textbox", "petId", "12")
	p.Click("link", "listPets")
	p.WaitText("#operations-Pets-listPets .request-url", "/pets?id=12")
}

// TestPageOfStability checks the badges of operations, including those set at run time.
func TestPageOfStability(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	p := openDocs(t, w, "/docs/")
	badge := func(operation, want string) {
		t.Helper()
		p.WaitText("#operations-"+operation+" .badge", want)
	}
	badge("Pets-updatePet", "beta")
	badge("Events-streamEvents", "experimental")
	w.Must(t, Put("/admin/operations/listOrders", `{"stability": "experimental"}`))
	w.Must(t, Put("/admin/operations/createOrder", `{"deprecated": true}`))
	p.Hide(false)
	badge("Store-listOrders", "experimental")
	badge("Store-createOrder", "deprecated")
	p.Wait(`document.querySelector("#operations-Store-createOrder.opblock-deprecated")`) // set by the reloaded document
}

// TestAdminPageFollowsChanges checks that the page shows what its own requests change, and offers
// the key where one is missing.
func TestAdminPageFollowsChanges(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.AdminKey = "secret" })
	p := openDocs(t, w, "/docs/?document=admin#/Clock/setClock")
	p.Allow("status of 401")
	p.WaitText(".request .key small", "Execute needs the server’s --admin-key or the key of this sandbox.")
	p.WaitText(".introduction .key small", "Execute needs the server’s --admin-key or the key of this sandbox.")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "401")
	browsertest.Eval[any](p, `void document.querySelector(".request input").focus()`)
	p.Press("s", "e", "c", "r", "e", "t", browsertest.Enter)
	p.WaitText(".live-response .status", "200")
	p.Wait(`getComputedStyle(document.querySelector(".request .key small")).visibility === "hidden"`) // it has the key
	p.Wait(`document.querySelector(".live-response .foot a").search === "?view=time"`)

	open := openDocs(t, NewWorld(t), "/docs/?document=admin#/Clock/setClock")
	open.Click("button", "Execute")
	open.WaitText("#clock", "2031-01-01 00:00 UTC, set")
}
