package pages_test

import (
	"strconv"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
)

// TestStoreAsOfARequest goes from a request to the data at that request, steps through the writes,
// forks there and returns to the present.
func TestStoreAsOfARequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets") // request 1
	create(t, w, "First")
	create(t, w, "Second")
	create(t, w, "")                                      // request 4, which is refused
	w.Must(t, request{Method: "DELETE", Path: "/pets/7"}) // First
	p := show(t, w, "/?id=2")
	p.Click("link", "Store as of this request")
	p.WaitText(".rewind", "The store as of POST /pets, ")
	p.WaitText(".tables", "Pets 6 Categories 3")
	p.WaitText("tr.was-added", "7 First available Dogs 1") // without controls for changes
	p.Miss("button", "Add a pet")
	shows := func(at, text string) {
		t.Helper()
		p.WaitText(".table-scroll", text)
		p.Wait(`new URLSearchParams(location.search).get("at") === "` + at + `"`)
	}
	p.Press(browsertest.Right)
	shows("3", "8 Second")
	p.Click("button", "Changed by this request 1")
	shows("3", "added name: Second")
	p.Click("button", "Next write")
	shows("5", "7 removed name: First")
	p.Wait(`document.querySelector("[aria-label='Next write']").disabled`)
	p.Press(browsertest.Left, browsertest.Left)
	shows("2", "added name: First")
	p.Click("button", "Changed by this request 1")
	p.Click("button", "7")
	p.WaitText(".editor pre", `"name": "First"`)
	p.In(".editor").Click("button", "Close")

	p.Click("button", "Back to now")
	p.WaitText(".table-scroll", "Second")
	p.Wait(`!document.querySelector(".rewind") && !document.querySelector(".table-scroll").innerText.includes("First")`)
	p.Open(w.URL + "/?view=data&at=2")
	p.Click("button", "Fork from here…")
	p.In("dialog").Click("button", "Fork")
	p.Wait(`location.pathname === "/sandboxes/default-at-2/" && !location.search.includes("at=")`)
	p.WaitText(".table-scroll", "First")
	w.Get(t, "/sandboxes/default-at-2/pets?name=First").ExpectHeader(t, "X-Total-Count", "1")
}

// TestWhyThereIsNoState checks that the page explains why a state is missing, or that it is too
// large to be shown.
func TestWhyThereIsNoState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "First")
	for i := range 101 {
		w.Must(t, request{Method: "PATCH", Path: "/pets/1", Body: `{"name": "` + strconv.Itoa(i) + `"}`})
	}
	p := show(t, w, "/?view=data&at=1")
	p.Allow(`status of 4\d\d`)
	p.WaitText(".empty", "The data as of request 1 is no longer kept.")
	p.Open(w.URL + "/?view=data&at=999")
	p.WaitText(".empty", "There is no request 999 in the journal.")
	p.Open(w.URL + "/?view=data&at=x")
	p.WaitText(".empty", "“0” is no request.")

	w.Must(t, contracttest.Post("/admin/reset", `{"pets": 80000}`))
	w.Get(t, "/pets/1")
	p.Open(w.URL + "/")
	openNewest(p)
	p.Click("link", "Store as of this request")
	p.WaitText(".empty", "This state is too large for a page")
}
