package pages_test

import (
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestPageWithSandboxKey checks that a page with the key of one sandbox allows everything that the
// key permits, and explains which key the rest requires.
func TestPageWithSandboxKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	w.Must(t, Put("/admin/sandboxes/ada", `{"key": "key-of-ada"}`).WithKey("secret-key"))
	p := browsertest.Open(t, w.URL+"/sandboxes/ada/?view=data#key=key-of-ada")
	p.WaitText(".live", "live")
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Rexina")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undone: Changed pet 1.")
	p.Open(w.URL + "/sandboxes/ada/?view=time")
	p.Click("button", "Freeze")
	p.WaitText(".chips", "frozen")
	p.Open(w.URL + "/sandboxes/ada/?view=snapshots")
	p.WaitText("label.drop",
		"Import a JSON file of data… Or drop the file anywhere. You confirm before anything is replaced. "+
			"The key of one sandbox brings in data; a whole sandbox needs the admin key.")
	dropped(p, "lesson.json", `{"format": 1, "state": {}}`)
	p.WaitText("dialog", "It is a whole sandbox, which needs the admin key.")
	p.Press(browsertest.Escape)
	p.Miss("dialog", "Replace “ada” with “lesson.json”?")
	dropped(p, "data.json", `{"categories": [], "pets": []}`)
	p.WaitText("dialog", "Replace “ada” with “data.json”?")
	p.Click("button", "Replace")
	p.WaitText(".toasts", "Replaced the data with “data.json”.")
	// The view lists other sandboxes, so the page shows the first view instead.
	p.Open(w.URL + "/sandboxes/ada/?view=sandboxes")
	p.See("button", "Pause")
	p.WaitText(".top", "ada")
	p.Miss("link", "Sandboxes")
	p.Miss("combobox", "Sandbox")

	typed := browsertest.Open(t, w.URL+"/sandboxes/ada/")
	typed.Allow("status of 401") // without the key
	typed.WaitText(".sign-in", "An --api-key does not open this page.")
	typed.Miss("combobox", "Sandbox") // which would only fail
	typed.Wait(`!document.querySelector(".picker, .find, .throttle")`)
	typed.Fill("textbox", "Key", "key-of-ada")
	typed.Click("checkbox", "Show the key")
	typed.Wait(`document.querySelector(".sign-in input").type === "text"`)
	typed.Click("button", "Open")
	typed.WaitText(".own", "ada")
	typed.Miss("combobox", "Sandbox")
	p.Allow("status of 401") // a request at that moment
	w.Must(t, Delete("/admin/sandboxes/ada").WithKey("secret-key"))
	typed.See("heading", "The sandbox “ada” is gone")
	p.See("heading", "The sandbox “ada” is gone")
	typed.Click("button", "Use another key")
	typed.See("textbox", "Key")
}

// TestReplaceAdminKey checks that a user who has given the admin key can give another.
func TestReplaceAdminKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	p := browsertest.Open(t, w.URL+"/")
	p.Allow("status of 401") // without the key
	p.Fill("textbox", "Key", "api-key")
	p.Click("button", "Open")
	p.WaitText(".sign-in .wrong", "An --api-key does not open this page.")
	p.Fill("textbox", "Key", "secret-key")
	p.Click("button", "Open")
	p.WaitText(".live", "live")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	p.Click("menuitem", "Use another key")
	p.See("heading", "This page needs a key")
	p.Miss("combobox", "Sandbox")
}

// TestPrivateSandbox checks that the page of a private sandbox sends the key with its requests
// to the service, and includes it in copied requests.
func TestPrivateSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/sandboxes/safe", `{"key": "key-of-safe", "private": true}`))
	p := browsertest.Open(t, w.URL+"/sandboxes/safe/#key=key-of-safe")
	p.WaitText("main", `curl -s \ -H 'Authorization: Bearer ••••••' \ '`+w.URL+"/sandboxes/safe/pets?limit=2'")
	w.Must(t, Post("/sandboxes/safe/pets", `{"name": "Rex", "categoryId": 1}`).WithKey("key-of-safe"))
	openNewest(p)
	p.Click("button", "Send again")
	p.WaitText(".toasts", "Sent again: 201")
	p.Click("button", "Edit and send…")
	p.Click("button", "Send")
	p.WaitText("dialog", "Response 201 Created")
}
