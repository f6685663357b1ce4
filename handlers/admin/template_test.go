package admin_test

import (
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestSandboxesStartAsTheTemplate creates sandboxes in every possible way from a template with its
// own data, clock, faults and lifecycle, and resets them.
func TestSandboxesStartAsTheTemplate(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	before := w.Everything(t)["default"]
	for _, r := range []Request{
		Delete("/pets/1"), SetClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`),
		Post("/admin/faults", `{"match": {"operationId": "createOrder"}, "status": 503}`),
		SetLifecycle("listPets", `{"deprecated": true}`), Put("/admin/snapshots/mine", ""),
	} {
		w.Must(t, InSandbox("lesson", r))
	}
	w.Must(t, Put("/admin/template", `{"from": "lesson"}`))
	w.Must(t, Delete("/sandboxes/lesson/pets/2"))
	loose := w.Unchecked() // the document does not describe the deprecation
	loose.Must(t, Get("/sandboxes/by-request/pets"))
	w.Must(t, Put("/admin/sandboxes/by-name", ""))
	w.Must(t, InSandbox("by-write", Post("/admin/reset", "")))
	for _, name := range []string{"by-request", "by-name", "by-write"} {
		for _, change := range []Request{Get("/pets"), Post("/admin/reset", ""),
			Put("/admin/sandboxes/"+name, `{"fresh": true}`)} {
			loose.Must(t, InSandbox(name, change))
			var pets []struct{ ID int }
			loose.Must(t, InSandbox(name, Get("/pets"))).Decode(t, &pets)
			if len(pets) != 4 || pets[0].ID != 2 {
				t.Errorf("%s has %v", name, pets)
			}
			loose.Do(t, InSandbox(name, Post("/store/orders", `{}`))).Expect(t, 503, "unavailable")
			loose.Get(t, "/sandboxes/"+name+"/pets").ExpectHeader(t, "Deprecation", "@1924992000")
			loose.Get(t, "/sandboxes/"+name+"/admin/clock").
				ExpectJSON(t, `{"now": "2031-01-01T00:00:00Z", "frozen": true, "offsetSeconds": 142084800}`)
			loose.Get(t, "/sandboxes/"+name+"/admin/snapshots").ExpectJSON(t, `[]`)
			loose.Must(t, InSandbox(name, Delete("/pets/4"))) // reverted by the next change
			loose.Must(t, InSandbox(name, Delete("/admin/clock")))
			loose.Must(t, InSandbox(name, Delete("/admin/faults")))
			loose.Must(t, InSandbox(name, Delete("/admin/operations/listPets")))
			loose.Must(t, InSandbox(name, Post("/admin/reset", "")))
		}
	}
	if after := w.Everything(t)["default"]; after != before {
		t.Errorf("the default sandbox is\n%s\nwant\n%s", after, before)
	}
}
