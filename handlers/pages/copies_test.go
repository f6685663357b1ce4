package pages_test

import (
	"go/format"
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
)

// TestCopyAs checks the copied code: it runs the fetch as a page would, and parses the Go.
func TestCopyAs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, request{Method: "POST", Path: "/pets", Body: "{\"name\": \"a `b` 'c'\", \"categoryId\": 1}", Header: http.Header{"X-Client": {"shop"}}})
	p := show(t, w, "/")
	openNewest(p)
	p.Click("button", "Copy as…")
	p.WaitText(".popover:popover-open pre", `curl -s -H 'X-Client: shop' --json '{"name": "a `+"`b`"+` '\''c'\''", "categoryId": 1}' '`+w.URL+`/pets'`)
	p.Click("button", "fetch")
	p.WaitText(".popover:popover-open pre", "await fetch(")
	sent := browsertest.Eval[string](p, `document.querySelector(".popover:popover-open pre").textContent`)
	_ = browsertest.Eval[bool](p, "(async () => {"+sent+"\nreturn true})()")
	p.WaitText(".popover:popover-open", "fetch")
	p.In(".popover:popover-open").Click("button", "PowerShell")
	p.WaitText(".popover:popover-open pre", `Invoke-RestMethod -Method POST -Headers @{ 'X-Client' = 'shop' } -ContentType 'application/json; charset=utf-8' `+
		`-Body '{"name": "a `+"`b`"+` ''c''", "categoryId": 1}' '`+w.URL+`/pets'`)
	p.In(".popover:popover-open").Click("button", "Go")
	p.WaitText(".popover:popover-open pre", "http.NewRequest(")
	source := browsertest.Eval[string](p, `document.querySelector(".popover:popover-open pre").textContent`)
	if _, err := format.Source([]byte("package p\nfunc f() error {\n" + source + "\nreturn nil\n}")); err != nil {
		t.Errorf("%v:\n%s", err, source)
	}
	var journal struct {
		Requests []struct {
			Status  int
			Body    string
			Headers map[string]string
		}
	}
	w.Get(t, "/admin/requests").Decode(t, &journal)
	if len(journal.Requests) != 2 || journal.Requests[1].Status != 201 || journal.Requests[1].Headers["X-Client"] != "shop" ||
		strings.Join(strings.Fields(journal.Requests[0].Body), "") != strings.Join(strings.Fields(journal.Requests[1].Body), "") {
		t.Errorf("the fetch sent %+v", journal.Requests)
	}
}

// TestControlsShowTheirCurl opens every </> of every view, and checks that each is a curl command
// for this sandbox that does not show the key.
func TestControlsShowTheirCurl(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	w.Must(t, request{Method: "POST", Path: "/admin/faults", Body: `{"status": 503, "times": 1}`, Header: http.Header{"Authorization": {"Bearer secret-key"}}})
	w.Must(t, request{Method: "PUT", Path: "/admin/snapshots/lesson-1", Header: http.Header{"Authorization": {"Bearer secret-key"}}})
	create(t, w, "Rex")
	p := browsertest.Open(t, w.URL+"/#key=secret-key")
	p.WaitText(".request", "503")
	p.Press("`")
	for view, c := range map[string]struct {
		ready string
		least int
	}{
		"requests&id=1": {".detail", 2}, "data": {"tbody tr", 2}, "data&open=1": {".editor input", 4}, "faults": {".rule", 8},
		"time": {".lane", 7}, "snapshots": {".snapshots:has(.snapshot) [aria-labelledby=files] .row + .row", 5}, "sandboxes": {"tbody tr", 1},
	} {
		p.Open(w.URL + "/?view=" + view)
		p.Wait(`document.querySelector("` + c.ready + `") && document.querySelector(".drawer")`)
		shown := browsertest.Eval[[]string](p, `(async () => {
			const shown = []
			for (const mark of document.querySelectorAll("main .call")) {
				do {
					(mark.previousElementSibling ?? mark.nextElementSibling).dispatchEvent(new PointerEvent("pointerover", {bubbles: true}))
					await new Promise((soon) => setTimeout(soon, 10))
				} while (document.querySelector(".drawer .control h3").textContent !== mark.dataset.label)
				shown.push(document.querySelector(".drawer .control pre").textContent)
			}
			return shown
		})()`)
		if len(shown) < c.least {
			t.Errorf("%s shows %d commands, want %d at least: %q", view, len(shown), c.least, shown)
		}
		for _, command := range shown {
			if !strings.HasPrefix(command, "curl -s ") || !strings.HasPrefix(command[strings.LastIndex(command, " '"):], " '"+w.URL+"/admin") ||
				!strings.Contains(command, "-H 'Authorization: Bearer ••••••'") {
				t.Errorf("%s shows %s", view, command)
			}
		}
	}
	p.Open(w.URL + "/?view=data")
	p.Choose("Status of Rex", "sold") // this control has no </> of its own
	for _, part := range []string{"-X PATCH", `{"status":"sold"}`, "If-Match"} {
		p.WaitText(".drawer .done pre", part)
	}
}
