package pages_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
)

func newWorkshop(t *testing.T) *contracttest.World {
	t.Helper()
	return contracttest.New(t, func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
}

// openWall opens the teacher's wall as who has the admin key.
func openWall(t *testing.T, w *contracttest.World) *browsertest.Page {
	t.Helper()
	p := browsertest.Open(t, w.URL+"/workshop")
	p.Allow("status of 40[14]")
	p.Fill("textbox", "Admin key", "teacher")
	p.Click("button", "Show the wall")
	p.See("button", "Door")
	return p
}

// join makes a sandbox for an attendee and returns its address and key.
func join(t *testing.T, w *contracttest.World, name string) (address, key string) {
	t.Helper()
	var attendee struct{ URL, Key string }
	answer := w.Must(t, request{Method: "POST", Path: "/join", Body: `{"name": "` + name + `"}`})
	if err := json.Unmarshal(answer.Body, &attendee); err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(attendee.URL, w.URL), attendee.Key
}

// TestJoinPage joins as an attendee, who does exercises, resets, and comes back.
func TestJoinPage(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	p := browsertest.Open(t, w.URL+"/join")
	p.Fill("textbox", "Your name", "Ada <b>Lovelace</b>")
	p.Click("button", "Join")
	p.See("heading", "ada-b-lovelace-b")
	p.WaitText(".address", w.URL+"/sandboxes/ada-b-lovelace-b")
	p.Wait(`document.querySelector(".address img").naturalWidth > 0`)
	for language, want := range map[string]string{"curl": "curl -s -H 'Authorization: Bearer ", "fetch": "await fetch(", "Go": "http.NewRequest(", "Python": "urllib.request"} {
		p.Click("button", language)
		p.WaitText(".snippet", want)
		p.WaitText(".snippet", "/sandboxes/ada-b-lovelace-b/pets?limit=3")
	}
	p.WaitText(".exercises + *, section:last-of-type h2", "0 of 5 done")
	in := "/sandboxes/ada-b-lovelace-b"
	w.Must(t, request{Method: "GET", Path: in + "/pets?status=sold"})
	w.Must(t, request{Method: "POST", Path: in + "/pets", Body: `{"name": "Rex", "categoryId": 1}`})
	p.WaitText("section:last-of-type h2", "2 of 5 done")
	p.Click("button", "Reset my store")
	p.WaitText(".toasts", "Your store is as it was at the beginning.")
	p.Open(w.URL + "/join")
	p.See("heading", "ada-b-lovelace-b")

	w.Must(t, request{Method: "PUT", Path: "/admin/workshop", Body: `{"open": false}`, Header: http.Header{"Authorization": {"Bearer teacher"}}})
	late := browsertest.Open(t, w.URL+"/join")
	late.Allow("status of 403")
	late.Fill("textbox", "Your name", "Bob")
	late.Click("button", "Join")
	late.WaitText("[role=alert]", "the door of the workshop is closed")
}

// TestWall acts in two of three sandboxes, takes it back, sees who is stuck, and ends the day.
func TestWall(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ada, _ := join(t, w, "Ada")
	join(t, w, "Bob")
	p := openWall(t, w)
	p.Wait(`document.querySelectorAll(".tile").length === 2`)
	for range 3 {
		w.Do(t, request{Method: "POST", Path: ada + "/pets", Body: `{}`})
	}
	p.WaitText(".tile.stuck", "stuck on 400")
	p.WaitText(".tile.stuck", "1 of 5 done")

	p.Click("checkbox", "Mark ada")
	p.Click("button", "Freeze time")
	p.WaitText(".toasts", "1 store: time stands still.")
	if got := w.Must(t, request{Method: "GET", Path: ada + "/admin/clock", Header: http.Header{"Authorization": {"Bearer teacher"}}}); !strings.Contains(string(got.Body), `"frozen":true`) {
		t.Errorf("clock = %s", got.Body)
	}
	p.Click("button", "Take it back")
	p.WaitText(".toasts", "1 store: taken back.")
	if got := w.Must(t, request{Method: "GET", Path: ada + "/admin/clock", Header: http.Header{"Authorization": {"Bearer teacher"}}}); !strings.Contains(string(got.Body), `"frozen":false`) {
		t.Errorf("clock = %s", got.Body)
	}

	p.Click("button", "Door")
	p.WaitText(".entrance", w.URL+"/join")
	p.Wait(`document.querySelector(".entrance img").naturalWidth > 0`)
	p.Click("button", "Close the door")
	p.See("button", "Open the door")
	p.Click("button", "End the day")
	p.In("dialog").Click("button", "End the day")
	p.WaitText(".toasts", "The day is over.")
	p.WaitText("header", "the day is over")
}
