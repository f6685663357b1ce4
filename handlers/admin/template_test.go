package admin_test

import (
	"net/http"
	"testing"
)

func TestTemplate(t *testing.T) { runScenarios(t, templateScenarios()) }

func templateScenarios() []scenario {
	const path = "/admin/template"
	is := func(from string, pets int) string {
		return `{"from": ` + from + `, "takenAt": "2026-07-01T12:00:00Z", "seed": null, "faults": 0, "rules": [], "operations": 0,
			` + withPets(pets) + `,
			"clock": {"now": "2026-07-01T12:00:00Z", "frozen": false, "offsetSeconds": 0}, "lifecycles": []}`
	}
	read, fresh := request{Method: "GET", Path: path}, is("null", 5)
	ada := drop("/sandboxes/ada/pets/1")
	taken := []request{ada, put(path, `{"from": "ada"}`)}
	bad := func(name string, r request, status int, code string, fields ...string) scenario {
		return scenario{Name: name, Before: taken, Request: r, Status: status, Code: code, Fields: fields}
	}
	return []scenario{
		{Name: "template at first", Request: read, Status: 200, Want: fresh},
		{Name: "template taken", Request: put(path, `{"from": "ada"}`), Before: []request{ada}, Status: 200, Want: is(`"ada"`, 4)},
		{Name: "template of the default sandbox", Request: put(path, `{"from": "default"}`), Status: 200, Want: is(`"default"`, 5)},
		{Name: "template that was taken", Request: read, Before: append(taken, drop("/admin/sandboxes/ada")), Status: 200, Want: is(`"ada"`, 4)},
		{Name: "template dropped", Request: drop(path), Before: taken, Status: 204},
		{Name: "template dropped before", Request: drop(path), Status: 204},
		{Name: "template that was dropped", Request: read, Before: append(taken, drop(path)), Status: 200, Want: fresh},
		{Name: "template after the day", Config: workshop, Request: read, Before: []request{
			put("/admin/sandboxes/ada", ""), put(path, `{"from": "ada"}`), everywhere(post("/admin/faults", `{"times": 1, "status": 503}`)), post("/admin/workshop/end", ""),
		}, Status: 200, Want: fresh},
		bad("template of what there is not", put(path, `{"from": "bob"}`), 404, "not_found"),
		bad("template of a bad name", put(path, `{"from": "*"}`), 400, "validation_failed", "/from"),
		bad("template of nothing", put(path, `{}`), 400, "validation_failed", "/from"),
		bad("template of wrong types", put(path, `{"from": 7, "form": "ada"}`), 400, "validation_failed", "/from", "/form"),
		bad("template of a list", put(path, `["ada"]`), 400, "invalid_json"),
		bad("template of text", textual(put(path, `{"from": "ada"}`)), 415, "unsupported_media_type"),
	}
}

// TestSandboxesStartAsTheTemplate creates sandboxes in every possible way from a template with its
// own data, clock, faults and lifecycle, and resets them.
func TestSandboxesStartAsTheTemplate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.Everything(t)["default"]
	for _, r := range []request{
		drop("/pets/1"), setClock(`{"now": "2031-01-01T00:00:00Z", "frozen": true}`), post("/admin/faults", `{"match": {"operationId": "createOrder"}, "status": 503}`),
		setLifecycle("listPets", `{"deprecated": true}`), put("/admin/snapshots/mine", ""),
	} {
		w.Must(t, inSandbox("lesson", r))
	}
	w.Must(t, put("/admin/template", `{"from": "lesson"}`))
	w.Must(t, drop("/sandboxes/lesson/pets/2"))
	loose := w.Unchecked() // the document does not describe the deprecation
	loose.Must(t, request{Method: http.MethodGet, Path: "/sandboxes/by-request/pets"})
	w.Must(t, put("/admin/sandboxes/by-name", ""))
	w.Must(t, inSandbox("by-write", post("/admin/reset", "")))
	for _, name := range []string{"by-request", "by-name", "by-write"} {
		for _, change := range []request{{Method: http.MethodGet, Path: "/pets"}, post("/admin/reset", ""), put("/admin/sandboxes/"+name, `{"fresh": true}`)} {
			loose.Must(t, inSandbox(name, change))
			var pets []struct{ ID int }
			loose.Must(t, inSandbox(name, request{Method: http.MethodGet, Path: "/pets"})).Decode(t, &pets)
			if len(pets) != 4 || pets[0].ID != 2 {
				t.Errorf("%s has %v", name, pets)
			}
			loose.Do(t, inSandbox(name, post("/store/orders", `{}`))).Expect(t, 503, "unavailable")
			loose.Get(t, "/sandboxes/"+name+"/pets").ExpectHeader(t, "Deprecation", "@1924992000")
			loose.Get(t, "/sandboxes/"+name+"/admin/clock").ExpectJSON(t, `{"now": "2031-01-01T00:00:00Z", "frozen": true, "offsetSeconds": 142084800}`)
			loose.Get(t, "/sandboxes/"+name+"/admin/snapshots").ExpectJSON(t, `[]`)
			loose.Must(t, inSandbox(name, drop("/pets/4"))) // reverted by the next change
			loose.Must(t, inSandbox(name, drop("/admin/clock")))
			loose.Must(t, inSandbox(name, drop("/admin/faults")))
			loose.Must(t, inSandbox(name, drop("/admin/operations/listPets")))
			loose.Must(t, inSandbox(name, post("/admin/reset", "")))
		}
	}
	if after := w.Everything(t)["default"]; after != before {
		t.Errorf("the default sandbox is\n%s\nwant\n%s", after, before)
	}
}
