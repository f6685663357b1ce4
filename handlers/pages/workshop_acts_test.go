package pages_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// class is a workshop with different stores. The stores default and late are unchanged. Those of
// Ada and Bob have clocks, faults, lifecycles and data of their own.
type class struct {
	*World
	p *page
}

func newClass(t *testing.T) class {
	t.Helper()
	w := newWorkshop(t)
	for _, name := range []string{"Ada", "Bob"} {
		join(t, w, name)
	}
	for _, r := range []Request{
		Put("/sandboxes/ada/admin/clock", `{"now": "2027-05-05T05:05:05.123456789Z", "frozen": true}`),
		Post("/sandboxes/ada/admin/faults", `{"match": {"operationId": "createOrder"}, "status": 500}`),
		Put("/sandboxes/ada/admin/operations/getPet", `{"sunset": "2028-08-08", "brownout": 0.5}`),
		Put("/sandboxes/bob/admin/clock", `{"advance": "72h"}`),
		Post("/sandboxes/bob/admin/data/pets", `{"name": "Rex", "categoryId": 1}`),
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
			all[name+" "+part] = string(c.Must(t, teacher(Get("/sandboxes/"+name+"/admin/"+part))).Body)
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
		if err := json.Unmarshal(c.Must(t, teacher(Get("/sandboxes/"+name+path))).Body, into); err != nil {
			t.Fatal(err)
		}
	}
	var clock struct {
		Now    string
		Frozen bool
	}
	pets := func(t *testing.T, c class, name string) string {
		t.Helper()
		return c.Must(t, teacher(Get("/sandboxes/"+name+"/admin/data/pets"))).Header.Get("X-Total-Count")
	}
	return []wallAct{
		{"Reset data", "Data reset", func(t *testing.T, c class, name string) bool { return pets(t, c, name) == "5" }},
		{"Freeze clock", "Clock frozen", func(t *testing.T, c class, name string) bool {
			read(t, c, name, "/admin/clock", &clock)
			return clock.Frozen
		}},
		// Of Ada's, whose store comes first.
		{"Day after sunset", "Clock at 20", func(t *testing.T, c class, name string) bool {
			read(t, c, name, "/admin/clock", &clock)
			return clock.Now == "2028-08-09T00:00:00Z" || clock.Now == "2031-01-01T00:00:00Z"
		}},
		{"Enforce sunset", "Sunset enforced", func(t *testing.T, c class, name string) bool {
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
		{"Fail 30 %", "30 % fail", func(t *testing.T, c class, name string) bool {
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
	c.Must(t, teacher(Post("/sandboxes/bob/admin/data/messages", `{"message": "✋ I need help."}`)))
	p := c.p
	titles := map[string]string{"ada": "Ada", "bob": "Bob"}
	for i, marked := range [][]string{{"bob"}, {"ada", "bob"}, nil} {
		for _, name := range marked {
			p.Click("checkbox", "Select "+titles[name])
		}
		where := map[int]string{0: "Bob", 1: "2", 2: "all"}[i]
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
			if act.button == "Reset data" && len(marked) != 1 {
				p.Click("button", "Reset data…")
				p.In("dialog").Click("button", act.button)
			} else {
				p.Click("button", act.button)
			}
			p.WaitText(".toasts", act.said)
			p.WaitText(".toasts", " for "+where)
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
			p.WaitText(".toasts", "Undid “"+act.button)
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

// TestWallUndoAsks checks that a reset of several stores asks first, and that undoing a reset says how many writes since then it would revert, and asks.
// It asks again if more came before the answer.
func TestWallUndoAsks(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	pet := func(name string) {
		c.Must(t, teacher(Post("/sandboxes/"+name+"/admin/data/pets", `{"name": "Tom", "categoryId": 1}`)))
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
	p.Click("button", "Reset data…")
	leaves(p, "Reset the data of everyone, including latecomers?")
	p.Click("button", "Reset data…")
	p.In("dialog").Click("button", "Reset data")
	p.WaitText(".toasts", "Data reset for all")
	join(t, c.World, "Late")
	pet("late")
	pet("bob")
	p.Click("button", "Undo")
	p.WaitText(".toasts", "2 writes since then. Undoing now would revert them too.")
	pet("ada") // which was not said
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "3 writes since then. Undoing now would revert them too.")
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "Undid “Reset data” for all")
	if pets := string(c.Must(t, teacher(Get("/sandboxes/bob/admin/data/pets"))).Body); strings.Count(
		pets, `"Tom"`) != 1 {
		t.Errorf("Bob has the pets %s", pets)
	}
}

// TestWallUndoAsksOfClocks checks that undoing a change of clocks says how many were changed since then, and asks.
func TestWallUndoAsksOfClocks(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	clock := func(body string) {
		c.Must(t, teacher(Put("/sandboxes/bob/admin/clock", body)))
	}
	p.Click("checkbox", "Select Bob")
	for _, button := range []string{"Freeze clock", "Back to normal"} {
		p.Click("button", button)
		p.WaitText(".toasts", "for Bob.")
		clock(`{"now": "2030-02-02T00:00:00Z"}`)
		p.Click("button", "Undo")
		p.WaitText(".toasts", "1 clock change since then. Undoing now would revert it too.")
	}
	p.Click("button", "Undo anyway")
	p.WaitText(".toasts", "Undid “Back to normal” for Bob.")
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
	c.p.WaitText(".marks", "All 2 and latecomers · frozen · createOrder: all fail for 1 · 30 % fail")
	c.p.Resize(1280, 800)
	c.p.Wait(`((e) => e.scrollHeight > e.clientHeight && getComputedStyle(e).webkitLineClamp === "2")(` +
		`document.querySelector(".state"))`) // an ellipsis for the parts without room
	c.p.Wait(`document.querySelector(".state").title.endsWith(" · 30 % fail · sunset enforced")`)
	join(t, c.World, "Early")
	before := c.everything(t, "ada", "bob", "early", "default")
	c.p.Click("button", "Back to normal")
	c.p.WaitText(".toasts", "Back to normal for all.")
	join(t, c.World, "Late")
	for _, name := range []string{"ada", "bob", "late", "default"} {
		for path, want := range map[string]string{"clock": `"frozen":false,"offsetSeconds":0}`, "faults": "[]\n",
			"operations": `"operationId":"getPet","method":"GET","path":"/pets/{petId}","tag":"Pets","calls":0,"changed":false`} {
			if got := c.Must(t, teacher(Get("/sandboxes/"+name+"/admin/"+path))); !strings.Contains(
				string(got.Body), want) {
				t.Errorf("%s of %s: %s", path, name, got.Body)
			}
		}
	}
	c.p.In(".toasts div:last-child").Click("button", "Undo")
	c.p.WaitText(".toasts", "Undid “Back to normal” for all.")
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
			c.Must(t, teacher(Get("/sandboxes/"+name+"/admin/faults"))).Decode(t, &rules)
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
	p.WaitText(".toasts", "30 % fail for Bob.")
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
	p.WaitText(".toasts", "30 % fail for all.")
	rules(map[string]int{"ada": 2, "bob": 1, "default": 1})
	join(t, c.World, "Late")
	rules(map[string]int{"ada": 2, "bob": 1, "default": 1, "late": 1})
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undid “Fail 30 %” for all.")
	rules(map[string]int{"ada": 1, "bob": 1, "default": 0, "late": 0})
	fail("mixed")
	p.Click("button", "Fail 30 %")
	fail("true")
	p.Allow("status of 404 .*/bob/admin/faults/") // Bob's second rule may have gone since the bar has read it
	p.Click("button", "Fail 30 %")
	p.WaitText(".toasts", "Requests no longer fail for all.")
	rules(map[string]int{"ada": 1, "bob": 0, "default": 0, "late": 0})
}

// TestWallActsEndThemselves checks that a second press ends what the first began and nothing else: a clock is frozen or
// moved as it was before, and a sunset that was enforced before still is.
func TestWallActsEndThemselves(t *testing.T) {
	t.Parallel()
	c := newClass(t)
	p := c.p
	c.Must(t, teacher(Put("/sandboxes/ada/admin/operations/listOrders",
		`{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2028-08-08", "enforceSunset": true}`)))
	press := func(button, said, pressed string) {
		t.Helper()
		p.Click("button", button)
		p.WaitText(".toasts", said)
		p.Wait(`[...document.querySelectorAll(".tools [aria-pressed=` + pressed + `]")].` +
			`some((e) => e.innerText === "` + button + `")`)
	}
	clock := func(name string) (clock sandbox.ClockReading) {
		t.Helper()
		c.Must(t, teacher(Get("/sandboxes/"+name+"/admin/clock"))).Decode(t, &clock)
		return clock
	}
	ada, bob := clock("ada"), clock("bob")
	later := func() { // as it was before, but for the time that the change takes
		t.Helper()
		if now := clock("bob"); now.Frozen || now.Offset-bob.Offset > 60 || bob.Offset-now.Offset > 60 {
			t.Errorf("Bob's clock is %+v, was %+v", now, bob)
		}
	}
	p.Click("checkbox", "Select Bob")
	press("Freeze clock", "Clock frozen for Bob.", "true")
	press("Freeze clock", "Clock runs again for Bob.", "false")
	later()
	p.Click("checkbox", "Select Ada")
	press("Day after sunset", "Clock at 2028-08-09 for 2.", "true")
	press("Day after sunset", "Clock brought back for 2.", "false")
	later()
	if now := clock("ada"); !now.Frozen || !now.Now.Equal(ada.Now) {
		t.Errorf("Ada's clock is %+v, was %+v", now, ada)
	}
	p.Click("checkbox", "Select Bob")
	press("Enforce sunset", "Sunset enforced for Ada.", "true")
	press("Enforce sunset", "Sunset not enforced for Ada.", "false")
	var operations []struct {
		OperationID   string
		EnforceSunset bool
	}
	c.Must(t, teacher(Get("/sandboxes/ada/admin/operations"))).Decode(t, &operations)
	for _, operation := range operations {
		if operation.EnforceSunset != (operation.OperationID == "listOrders") {
			t.Errorf("enforced: %+v", operation)
		}
	}
	p.Click("checkbox", "Select all")
	press("Freeze clock", "Clock frozen for all.", "true")
	press("Freeze clock", "Clock runs again for all.", "false")
	if now := clock("ada"); now.Frozen || now.Now.Before(ada.Now) || now.Now.Sub(ada.Now) > time.Minute {
		t.Errorf("Ada's clock is %+v, was frozen at %v", now, ada.Now)
	}
}
