package pages_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// class is a workshop with different stores. The stores default and late are unchanged. Those of
// Ada and Bob have clocks, faults, lifecycles and data of their own.
type class struct {
	*contracttest.World
	p *page
}

func newClass(t *testing.T) class {
	t.Helper()
	w := newWorkshop(t)
	for _, name := range []string{"Ada", "Bob"} {
		join(t, w, name)
	}
	for _, r := range []request{
		{Method: "PUT", Path: "/sandboxes/ada/admin/clock",
			Body: `{"now": "2027-05-05T05:05:05.123456789Z", "frozen": true}`},
		{Method: "POST", Path: "/sandboxes/ada/admin/faults",
			Body: `{"match": {"operationId": "createOrder"}, "status": 500}`},
		{Method: "PUT", Path: "/sandboxes/ada/admin/operations/getPet",
			Body: `{"sunset": "2028-08-08", "brownout": 0.5}`},
		{Method: "PUT", Path: "/sandboxes/bob/admin/clock", Body: `{"advance": "72h"}`},
		{Method: "POST", Path: "/sandboxes/bob/admin/data/pets", Body: `{"name": "Rex", "categoryId": 1}`},
	} {
		w.Must(t, teacher(r))
	}
	return class{w, openWall(t, w)}
}

// everything returns the visible state of stores: data, clock, faults, lifecycles and snapshots.
func (c class) everything(t *testing.T, names ...string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, name := range names {
		for _, part := range []string{"state", "clock", "faults", "operations", "snapshots"} {
			all[name+" "+part] = string(c.Must(t,
				teacher(request{Method: "GET", Path: "/sandboxes/" + name + "/admin/" + part})).Body)
		}
	}
	return all
}

// wallAct is an action of the teacher, with a check of its effect on a store.
type wallAct struct {
	button string
	said   string
	done   func(t *testing.T, c class, name string) bool
}

func wallActs() []wallAct {
	read := func(t *testing.T, c class, name, path string, into any) {
		t.Helper()
		if err := json.Unmarshal(c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/" + name + path})).Body,
			into); err != nil {
			t.Fatal(err)
		}
	}
	var clock struct {
		Now    string
		Frozen bool
	}
	pets := func(t *testing.T, c class, name string) string {
		t.Helper()
		return c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/" + name + "/admin/data/pets"})).
			Header.Get("X-Total-Count")
	}
	return []wallAct{
		{"Reset data", "Data reset", func(t *testing.T, c class, name string) bool { return pets(t, c, name) == "5" }},
		{"Freeze clock", "Clock frozen", func(t *testing.T, c class, name string) bool {
			read(t, c, name, "/admin/clock", &clock)
			return clock.Frozen
		}},
		// Of Ada's, whose store comes first.
		{"Day after sunset", "Clock set to 20", func(t *testing.T, c class, name string) bool {
			read(t, c, name, "/admin/clock", &clock)
			return clock.Now == "2028-08-09T00:00:00Z" || clock.Now == "2031-01-01T00:00:00Z"
		}},
		{"Enforce sunset", "Sunset enforced on getPet", func(t *testing.T, c class, name string) bool {
			var operations []struct {
				OperationID   string
				EnforceSunset bool
			}
			read(t, c, name, "/admin/operations", &operations)
			for _, operation := range operations {
				if operation.OperationID == "getPet" {
					return operation.EnforceSunset
				}
			}
			return false
		}},
		{"Fail 30 %", "30 % of requests fail", func(t *testing.T, c class, name string) bool {
			var rules []struct{ Status int }
			read(t, c, name, "/admin/faults", &rules)
			return len(rules) > 0 && rules[len(rules)-1].Status == 503
		}},
		{"Load", "Data of Bob loaded", func(t *testing.T, c class, name string) bool {
			var messages []store.Message
			read(t, c, name, "/admin/data/messages", &messages)
			raised := func(m store.Message) bool { return strings.HasPrefix(m.Message, "✋") }
			return pets(t, c, name) == "6" && !slices.ContainsFunc(messages, raised)
		}},
		{"Back to normal", "Back to normal for ", func(t *testing.T, c class, name string) bool {
			var rules []struct{}
			var clock sandbox.ClockReading
			read(t, c, name, "/admin/faults", &rules)
			read(t, c, name, "/admin/clock", &clock)
			return len(rules) == 0 && !clock.Frozen && clock.Offset == 0
		}},
	}
}

// TestActsOnTheWall performs each action in one store, in some, and in all. An action in all
// stores must also apply to later stores. Undoing it must restore every store and leave no snapshot.
func TestActsOnTheWall(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	c.Must(t, teacher(contracttest.Post("/sandboxes/bob/admin/data/messages", `{"message": "✋ I need help."}`)))
	p := c.p
	titles := map[string]string{"ada": "Ada", "bob": "Bob"}
	for i, marked := range [][]string{{"bob"}, {"ada", "bob"}, nil} {
		for _, name := range marked {
			p.Click("checkbox", "Select "+titles[name])
		}
		where := map[int]string{0: "Bob", 1: "2 attendees", 2: "everyone, including latecomers"}[i]
		there := marked
		if marked == nil {
			p.Click("checkbox", "Select all")
			there = []string{"ada", "bob", "default"}
		}
		for _, act := range wallActs() {
			when := act.button + " in " + where
			before := c.everything(t, "ada", "bob", "default")
			if act.button == "Load" { // Bob's store has different data
				p.Click("button", "Load data…")
				p.Choose("The store whose data is loaded", "Bob")
			}
			p.Click("button", act.button)
			p.WaitText(".toasts", act.said)
			p.WaitText(".toasts", " for "+where+".")
			p.Wait(`!document.querySelector(".toast > .icon").checkVisibility()`) // beside the cross that deselects
			late := ""
			if marked == nil {
				late = fmt.Sprint("late-", len(c.Names()))
				join(t, c.World, late)
				there = []string{"ada", "bob", "default", late}
			}
			for _, name := range there {
				if !act.done(t, c, name) {
					t.Errorf("%s: not done in %s", when, name)
				}
			}
			p.Click("button", "Undo")
			p.WaitText(".toasts", "Undid “"+act.button+"”")
			p.WaitText(".toasts", " for "+where+".")
			c.forgets(t)
			if diff := cmp.Diff(before, c.everything(t, "ada", "bob", "default")); diff != "" {
				t.Errorf("%s, taken back: -before +after:\n%s", when, diff)
			}
			usual := act.button == "Reset data" || act.button == "Back to normal" // in a new store, nothing changes
			if late != "" && act.done(t, c, late) && !usual {
				t.Errorf("%s, taken back: still done in %s", when, late)
			}
		}
		for _, name := range marked {
			p.Click("checkbox", "Select "+titles[name])
		}
	}
}

// forgets waits until no store has a snapshot of the wall.
func (c class) forgets(t *testing.T) {
	t.Helper()
	const count = `Promise.all(["ada", "bob", "default"].map((name) => fetch("sandboxes/" + name + "/admin/snapshots", {headers: {Authorization: "Bearer teacher"}})
		.then((response) => response.json()))).then((kept) => kept.flat().length)`
	for deadline := time.Now().Add(20 * time.Second); browsertest.Eval[int](c.p, count) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("the wall leaves snapshots behind")
		}
	}
}

// TestWallUndoAsks checks that undoing a reset says how many writes since then it would revert, and asks.
// It asks again if more came before the answer.
func TestWallUndoAsks(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	pet := func(name string) {
		c.Must(t, teacher(contracttest.Post("/sandboxes/"+name+"/admin/data/pets", `{"name": "Tom", "categoryId": 1}`)))
	}
	p.Click("checkbox", "Select Bob")
	p.Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for Bob.")
	pet("bob")
	pet("ada") // who is not asked about
	p.Click("button", "Undo")
	p.WaitText(".toasts", "1 write since then. Undoing now would revert it too.")
	p.Click("button", "Dismiss")
	c.forgets(t)
	p.Click("checkbox", "Select all")
	p.Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for everyone")
	join(t, c.World, "Late")
	pet("late")
	pet("bob")
	p.Click("button", "Undo")
	p.WaitText(".toasts", "2 writes since then. Undoing now would revert them too.")
	pet("ada") // which was not said
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "3 writes since then. Undoing now would revert them too.")
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "Undid “Reset data” for everyone")
	if pets := string(c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/bob/admin/data/pets"})).Body); strings.Count(
		pets, `"Tom"`) != 1 {
		t.Errorf("Bob has the pets %s", pets)
	}
}

// TestWallBackToNormal resets the clocks, faults and lifecycles of all stores, long after they
// were changed. Undoing that restores those of each store, and the template's for later stores.
func TestWallBackToNormal(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	c.p.Click("checkbox", "Select all")
	for _, button := range []string{"Fail 30 %", "Freeze clock", "Enforce sunset"} {
		c.p.Click("button", button)
	}
	c.p.Wait(`document.querySelectorAll(".tools [aria-pressed=true]").length === 3`)
	c.p.WaitText(".marks", "All 2 and latecomers frozen · 30 % fail · sunset enforced")
	join(t, c.World, "Early")
	before := c.everything(t, "ada", "bob", "early", "default")
	c.p.Click("button", "Back to normal")
	c.p.WaitText(".toasts", "Back to normal for everyone, including latecomers.")
	join(t, c.World, "Late")
	for _, name := range []string{"ada", "bob", "late", "default"} {
		for path, want := range map[string]string{"clock": `"frozen":false,"offsetSeconds":0}`, "faults": "[]\n",
			"operations": `"operationId":"getPet","method":"GET","path":"/pets/{petId}","tag":"Pets","calls":0,"changed":false`} {
			if got := c.Must(t,
				teacher(request{Method: "GET", Path: "/sandboxes/" + name + "/admin/" + path})); !strings.Contains(
				string(got.Body), want) {
				t.Errorf("%s of %s: %s", path, name, got.Body)
			}
		}
	}
	c.p.In(".toasts div:last-child").Click("button", "Undo")
	c.p.WaitText(".toasts", "Undid “Back to normal” for everyone, including latecomers.")
	numberless := cmp.Transformer("numberless", func(text string) string { // after a reset, rules get new ids
		return strings.NewReplacer(`{"id":1,"applied"`, "{", `{"id":2,"applied"`, "{").Replace(text)
	})
	if diff := cmp.Diff(before, c.everything(t, "ada", "bob", "early", "default"), numberless); diff != "" {
		t.Errorf("taken back: -before +after:\n%s", diff)
	}
	join(t, c.World, "Later")
	early, later := c.everything(t, "early"), c.everything(t, "later")
	for _, part := range []string{"clock", "faults", "operations"} {
		if early["early "+part] != later["later "+part] {
			t.Errorf("the %s of a later store are %s", part, later["later "+part])
		}
	}
}

// TestWallActsOnce checks that a rule that a store already has is not added again, that undo removes
// only the added rules, and that a second press removes the rule alone, whatever its id in each store.
func TestWallActsOnce(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	rules := func(want map[string]int) {
		t.Helper()
		for name, n := range want {
			var rules []struct{ Status int }
			c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/" + name + "/admin/faults"})).Decode(t, &rules)
			if len(rules) != n {
				t.Errorf("%s has the rules %v, want %d", name, rules, n)
			}
		}
	}
	fail := func(pressed string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".tools [aria-pressed=` + pressed + `]")].` +
			`some((e) => e.innerText === "Fail 30 %")`)
	}
	p.Click("checkbox", "Select Bob")
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "30 % of requests fail for Bob.")
	fail("true")
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "Requests no longer fail for Bob.")
	rules(map[string]int{"ada": 1, "bob": 0})
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Fail 30 % off” for Bob.")
	rules(map[string]int{"ada": 1, "bob": 1})
	p.Click("checkbox", "Select all")
	fail("mixed")
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "30 % of requests fail for everyone, including latecomers.")
	rules(map[string]int{"ada": 2, "bob": 1, "default": 1})
	join(t, c.World, "Late")
	rules(map[string]int{"ada": 2, "bob": 1, "default": 1, "late": 1})
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Fail 30 %” for everyone, including latecomers.")
	rules(map[string]int{"ada": 1, "bob": 1, "default": 0, "late": 0})
	fail("mixed")
	p.Click("button", "Fail 30 %")
	fail("true")
	p.Allow("status of 404 .*/bob/admin/faults/") // Bob's second rule may have gone since the bar has read it
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "Requests no longer fail for everyone, including latecomers.")
	rules(map[string]int{"ada": 1, "bob": 0, "default": 0, "late": 0})
}

// TestWallActsEndThemselves checks that a second press ends what the first began and nothing else: a clock is frozen or
// moved as it was before, and a sunset that was enforced before still is.
func TestWallActsEndThemselves(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	c.Must(t, teacher(request{Method: "PUT", Path: "/sandboxes/ada/admin/operations/listOrders",
		Body: `{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2028-08-08", "enforceSunset": true}`}))
	press := func(button, said, pressed string) {
		t.Helper()
		p.Click("button", button)
		p.WaitText(".toasts", said)
		p.Wait(`[...document.querySelectorAll(".tools [aria-pressed=` + pressed + `]")].` +
			`some((e) => e.innerText === "` + button + `")`)
	}
	clock := func(name string) (clock sandbox.ClockReading) {
		t.Helper()
		c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/" + name + "/admin/clock"})).Decode(t, &clock)
		return clock
	}
	ada, bob := clock("ada"), clock("bob")
	later := func() { // as it was before
		t.Helper()
		if now := clock("bob"); now.Frozen || now.Offset-bob.Offset > 1 || bob.Offset-now.Offset > 1 {
			t.Errorf("Bob's clock is %+v, was %+v", now, bob)
		}
	}
	p.Click("checkbox", "Select Bob")
	press("Freeze clock", "Clock frozen for Bob.", "true")
	press("Freeze clock", "Clock runs again for Bob.", "false")
	later()
	p.Click("checkbox", "Select Ada")
	press("Day after sunset", "Clock set to 2028-08-09 for 2 attendees.", "true")
	press("Day after sunset", "Clock brought back for 2 attendees.", "false")
	later()
	if now := clock("ada"); !now.Frozen || !now.Now.Equal(ada.Now) {
		t.Errorf("Ada's clock is %+v, was %+v", now, ada)
	}
	p.Click("checkbox", "Select Bob")
	press("Enforce sunset", "Sunset enforced on getPet for Ada.", "true")
	press("Enforce sunset", "Sunset no longer enforced for Ada.", "false")
	var operations []struct {
		OperationID   string
		EnforceSunset bool
	}
	c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/ada/admin/operations"})).Decode(t, &operations)
	for _, operation := range operations {
		if operation.EnforceSunset != (operation.OperationID == "listOrders") {
			t.Errorf("enforced: %+v", operation)
		}
	}
}

// TestWallBar checks that the bar marks an action that is in effect in some of the selected stores, names the day of
// their clocks, shows what an undo brings back, and has the toasts, without growing. Its actions stand in one row.
func TestWallBar(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	is := func(button, pressed string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".tools button")].find((b) => b.innerText === "` + button +
			`").getAttribute("aria-pressed") === "` + pressed + `"`)
	}
	p.Resize(768, 1000)
	p.Click("checkbox", "Select Ada") // frozen
	is("Freeze clock", "true")
	p.Click("checkbox", "Select Bob")
	is("Freeze clock", "mixed")
	p.WaitText(".marks", "1 frozen at 2027-05-05")
	const tall = `document.querySelector(".tools").offsetHeight`
	before := browsertest.Eval[int](p, tall)
	if before > 100 {
		t.Errorf("the bar is %d px tall", before)
	}
	p.Click("button", "Fail 30 %")
	is("Fail 30 %", "true")
	p.WaitText(".marks .toast:last-child", "30 % of requests fail for 2 attendees.")
	if after := browsertest.Eval[int](p, tall); after != before {
		t.Errorf("with a toast, the bar is %d px tall, and was %d", after, before)
	}
	p.Click("button", "Back to normal")
	p.WaitText(".toasts", "Back to normal for 2 attendees.")
	is("Fail 30 %", "false")
	p.Wait(`[...document.querySelectorAll(".tools button")].find((b) => b.innerText === "Back to normal").disabled`)
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Back to normal”")
	is("Fail 30 %", "true")
	p.Click("button", "Day after sunset")
	is("Day after sunset", "true")
	is("Freeze clock", "mixed")
	p.WaitText(".marks", "1 frozen at 2028-08-09 · 1 at 2028-08-09")
	p.Click("button", "Freeze clock")
	is("Freeze clock", "true")
	p.Click("button", "Freeze clock")
	p.WaitText(".marks .toast:last-child", "Clock runs again for 2 attendees.")
	is("Freeze clock", "false")
	is("Day after sunset", "true") // it runs on from there
	p.Click("button", "Enforce sunset")
	is("Enforce sunset", "true")
	p.Click("button", "Enforce sunset")
	p.WaitText(".marks .toast:last-child", "Sunset no longer enforced for 2 attendees.")
	is("Enforce sunset", "false")
	p.Wait(`!document.querySelector(".toasts").innerText.includes("Undid")`) // a newer toast replaces it
	p.Click("button", "Fail 30 %")
	is("Fail 30 %", "false")
	p.Click("checkbox", "Select Bob")
	p.Click("button", "Fail 30 %")
	p.WaitText(".marks .toast:last-child", "30 % of requests fail for Ada.")
	p.Click("checkbox", "Select Bob")
	p.WaitText(".marks", "1 fails 30 %")
	p.Wait(`!document.querySelector(".toast")`) // it is not about those who are selected
	p.Click("button", "Load data…")
	p.Wait(`document.querySelector(".tools :popover-open").getBoundingClientRect().bottom === ` +
		`document.querySelector(".tools").getBoundingClientRect().top - 8`)
	p.Press(browsertest.Escape)
	p.Click("button", "Select none")
	p.WaitText(".toasts", "30 % of requests fail for Ada.")
}

// TestWallBarAfterUndo checks that the bar reads the template again after an undo for everyone.
func TestWallBarAfterUndo(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	join(t, w, "Ada")
	p := openWall(t, w)
	p.Click("checkbox", "Select all")
	freeze := func(pressed string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".tools [aria-pressed=` + pressed + `]")].` +
			`some((e) => e.innerText === "Freeze clock")`)
	}
	p.Click("button", "Freeze clock")
	freeze("true")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Freeze clock” for everyone, including latecomers.")
	freeze("false")
}

// TestWallShowsItsRequests checks that each control shows its request: one for all stores, or one
// for each selected store. The request for the data must work unchanged.
func TestWallShowsItsRequests(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	shows := func(button string, want ...string) {
		t.Helper()
		if button != "load data" {
			calls(p, button, want...)
			return
		}
		p.Click("button", "Load data…")
		p.Wait(`(document.querySelector(".popover:popover-open details").open = true)`)
		for _, text := range want {
			p.WaitText(".popover:popover-open", text)
		}
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector(".popover:popover-open")`)
	}
	p.Click("checkbox", "Select all")
	shows("Freeze clock", `-X PUT`, `--json '{"frozen":true}'`, "/sandboxes/*/admin/clock")
	shows("Fail 30 %", `--json '{"match":{},"probability":0.3,"status":503}'`, "/sandboxes/*/admin/faults")
	shows("Back to normal", "/sandboxes/*/admin/reset?only=clock,faults,lifecycle")
	shows("Enforce sunset", "-X PATCH", `--json '{"enforceSunset":true}'`, "/sandboxes/*/admin/operations/getPet")
	p.Click("checkbox", "Select Ada") // no longer
	shows("Reset data", "/sandboxes/bob/admin/reset?only=data")
	p.Click("checkbox", "Select Ada")
	shows("Day after sunset", `{"now":"2028-08-09T00:00:00.000Z"}`, "/sandboxes/ada/admin/clock",
		"/sandboxes/bob/admin/clock")
	shows("load data", "/admin/state' | curl -s -X PUT", "--json '@-'", "/sandboxes/ada/admin/state'",
		"/sandboxes/bob/admin/state'")
}

// TestWallDropsSnapshotsOnClose checks that closing the page removes the snapshots kept for undo.
func TestWallDropsSnapshotsOnClose(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	c.p.Click("checkbox", "Select Bob")
	c.p.Click("button", "Reset data")
	c.p.WaitText(".toasts", "Data reset for Bob.")
	kept := c.Must(t, teacher(request{Method: "GET", Path: "/sandboxes/bob/admin/snapshots"})).Body
	if !strings.Contains(string(kept), `"name":"wall-`) {
		t.Errorf("nothing is kept to take it back: %s", kept)
	}
	c.p.Open(c.URL + "/join")
	c.forgets(t)
}

// TestWallDropsSnapshotsAfterCrash checks that the snapshots kept for undo are also removed after the
// browser has crashed, once they are no longer in use.
func TestWallDropsSnapshotsAfterCrash(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	const record = `localStorage.getItem("petstore.wall /")`
	c.p.Click("checkbox", "Select Bob")
	c.p.Click("button", "Reset data")
	c.p.WaitText(".toasts", "Data reset for Bob.")
	c.p.Wait(`Object.keys(JSON.parse(` + record + `)).length === 1`)
	c.p.Click("button", "Undo")
	c.p.Wait(record + ` === null`)

	for _, name := range []string{"wall-old", "wall-new"} {
		c.Must(t, teacher(request{Method: "PUT", Path: "/sandboxes/ada/admin/snapshots/" + name}))
	}
	_ = browsertest.Eval[bool](c.p,
		`(localStorage.setItem("petstore.wall /", JSON.stringify({"wall-old": 0, "wall-new": Date.now()})), true)`)
	c.p.Wait(`Object.keys(JSON.parse(` + record + `)).join() === "wall-new"`)
	c.forgetsOf(t, "ada", 1)
}

// TestWallNamesRefusingStore checks that the wall names a store that refuses an action, and that
// the other stores apply it.
func TestWallNamesRefusingStore(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	c.p.Allow("status of 507")
	rules := "[" + strings.TrimSuffix(strings.Repeat(`{"status": 500},`, 1000), ",") + "]"
	c.Must(t, teacher(request{Method: "PUT", Path: "/sandboxes/bob/admin/faults", Body: rules}))
	c.p.Click("checkbox", "Select Ada")
	c.p.Click("checkbox", "Select Bob")
	c.p.Click("button", "Fail 30 %")
	c.p.WaitText(".toasts", "1 store refused, Bob first: a sandbox can have at most 1000 fault rules")
	c.p.WaitText(".toasts", "30 % of requests fail for Ada.")
}

// TestUnusedSeatsOnWall checks that the wall shows seats that were taken but never used, and drops them. It shows how
// long attendees have been idle, whatever the teacher has done meanwhile.
func TestUnusedSeatsOnWall(t *testing.T) {
	t.Parallel()
	config, pass := contracttest.Movable(func(c *handlers.Config) { c.Workshop, c.AdminKey = true, "teacher" })
	w := contracttest.NewWorld(t, config)
	ada, _ := join(t, w, "Ada")
	for _, name := range []string{"x1", "x2"} {
		join(t, w, name)
	}
	bo, _ := join(t, w, "Bo")
	w.Get(t, ada+"/pets")
	eve, _ := join(t, w, "Eve")
	for range 3 { // without a key, so that the server does not count them as use
		w.Do(t, request{Method: "GET", Path: eve + "/messages"})
	}
	const rest = 5 * time.Second // which the wall waits until it reads the list again
	pass(2*time.Minute - rest)
	p := openWall(t, w)
	p.WaitText(".wall", "not started")
	p.Click("button", "Settings")
	p.See("textbox", "Title of the room")
	p.Wait(`!document.querySelector(".vacant-seats")`)
	pass(rest)
	p.WaitText(".vacant-seats", "3 seats never used")
	p.Wait(`document.querySelectorAll(".tile.unstarted").length === 3`)
	const stages = `[...document.querySelectorAll(".path b")].map((e) => e.textContent).join()` // all who are in
	p.Wait(stages + ` === "3,2,0,0,0,0,0"`)
	w.Get(t, bo+"/pets")
	p.WaitText(".tile.stuck", "401 GET /messages")
	p.WaitText(".vacant-seats", "2 seats never used")
	p.Click("button", "Drop unused seats…")
	p.WaitText("dialog", "x1 x2")
	calls(p, "drop unused seats", "/admin/sandboxes/x1", "/admin/sandboxes/x2")
	p.Allow("status of 404") // for what the wall asked of a seat that is dropped
	p.In("dialog").Click("button", "Drop")
	p.WaitText(".toasts", "Dropped 2 seats.")
	p.Wait(`document.querySelectorAll(".tile").length === 3 && !document.querySelector(".unstarted, .vacant-seats")`)
	if names := w.Names(); len(names) != 4 {
		t.Errorf("there are %v", names)
	}
	pass(time.Minute)
	w.Must(t, teacher(request{Method: "POST", Path: ada + "/admin/reset?only=clock"})) // is no request of Ada
	openWall(t, w).WaitText(".tile:not(.stuck) .idle", "3 min")
}
