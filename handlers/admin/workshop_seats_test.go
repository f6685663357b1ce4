package admin_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestVacantSeatsAreGivenAway checks that unused seats of a workshop are free again after two
// minutes.
func TestVacantSeatsAreGivenAway(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "root"} {
		config, pass := Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, key })
		w := NewWorld(t, config)
		teacher := Authorization("Bearer " + key)
		if key == "" {
			teacher = nil
		}
		w.Must(t, Request{Method: "PUT", Path: "/admin/workshop", Body: `{"limit": 5}`, Header: teacher})
		for _, name := range []string{"one", "reads", "two", "looks"} {
			a := joined(t, w, name)
			own := Authorization("Bearer " + a.Key)
			switch name {
			case "reads":
				w.Get(t, "/sandboxes/reads/pets")
			case "looks": // reads the dashboard with the attendee's key
				w.Do(t, Request{Method: "GET", Path: "/sandboxes/looks/admin", Header: own}).Expect(t, 200, "")
			default: // requests by others do not count
				w.Must(t, Request{Method: "GET", Path: "/sandboxes/" + name + "/admin/requests", Header: teacher})
				w.Must(t, Request{Method: "POST", Path: "/sandboxes/" + name + "/admin/reset", Header: teacher})
				w.Must(t, Request{Method: "POST", Path: "/sandboxes/*/admin/reset", Header: teacher})
				w.Get(t, "/sandboxes/"+name+"/docs/")
			}
			pass(time.Second)
		}
		joined(t, w, "late")
		vacant := func() (names []string) {
			var list []admin.Sandbox
			w.Must(t, Request{Method: "GET", Path: "/admin/sandboxes", Header: teacher}).Decode(t, &list)
			for _, sb := range list {
				if sb.Vacant {
					names = append(names, sb.Name)
				}
			}
			return names
		}
		full := func() bool {
			var notice admin.Notice
			w.Get(t, "/join/door").Decode(t, &notice)
			return notice.Full
		}
		pass(116*time.Second - 1)
		w.Do(t, join("Zoe")).Expect(t, 403, "forbidden")
		if got := vacant(); len(got) > 0 || !full() {
			t.Errorf("a moment too early, %v are vacant", got)
		}
		pass(1 + 2*time.Second)
		if got := vacant(); !slices.Equal(got, []string{"one", "two"}) || full() {
			t.Errorf("%v are vacant", got)
		}
		joined(t, w, "Zoe")
		if want := []string{"default", "late", "looks", "reads", "two", "zoe"}; !slices.Equal(w.Names(), want) {
			t.Errorf("there are %v, want %v", w.Names(), want)
		}
		w.Must(t, Request{Method: "DELETE", Path: "/admin/sandboxes/two", Header: teacher}) // as the wall does
		joined(t, w, "Yan")
		w.Do(t, join("Xia")).Expect(t, 403, "forbidden")
		var door admin.Workshop
		w.Must(t, Request{Method: "GET", Path: "/admin/workshop", Header: teacher}).Decode(t, &door)
		if door.Joined != 5 {
			t.Errorf("the door is %+v", door)
		}
		if a := w.Get(t, "/sandboxes/one/pets"); a.Status != http.StatusNotFound {
			t.Errorf("the seat that was given away answers %d", a.Status)
		}
	}
}
