package pages_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
)

// TestKeyOfASandbox wants the page of somebody who has the key of one sandbox to do there
// what that key opens, and to say of the rest who may.
func TestKeyOfASandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	w.Must(t, request{Method: "PUT", Path: "/admin/sandboxes/ada", Body: `{"key": "key-of-ada"}`, Header: http.Header{"Authorization": {"Bearer secret-key"}}})
	p := browsertest.Open(t, w.URL+"/sandboxes/ada/?view=data#key=key-of-ada")
	p.Allow("status of 403") // what the key does not open
	p.WaitText(".live", "live")
	p.Click("button", "1")
	p.Fill("textbox", "Name", "Rexina")
	p.Click("button", "Save")
	p.WaitText(".table-scroll", "Rexina")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undone.")
	p.Open(w.URL + "/sandboxes/ada/?view=time")
	p.Click("button", "Freeze")
	p.WaitText(".chips", "frozen")
	p.Open(w.URL + "/sandboxes/ada/?view=sandboxes")
	p.WaitText("main .error-note", "key")
}
