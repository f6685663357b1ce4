package pages_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestFaultsInOneClick(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults")
	p.WaitText("main", "No rules")
	p.Wait(`![...document.querySelectorAll("#fault-target option")].some(({ value }) => value === "getHealth")`)
	p.Choose("Turn on for", "createPet · POST /pets")
	p.Click("button", "twice")
	p.Click("button", "Down Responds 503")
	p.WaitText(".rules", "createPet POST /pets responds 503 Down 0 of 2 hits")
	create(t, w, "Rex")
	p.WaitText(".applied", "1 of 2 hits")
	p.Click("switch", "Rule 1")
	p.WaitText(".toasts", "Rule 1 is off.") // the row changes before the server has responded
	p.WaitText(".rule.off .applied", "1 of 2 hits")
	if rule := faults(t, w)[0]; !rule.Off {
		t.Errorf("the rule that is off is %+v", rule)
	}
	p.Click("switch", "Rule 1")
	p.WaitText(".applied", "1 of 2 hits")
	p.WaitText(".toasts", "Rule 1 is on.")
	if rule := faults(t, w)[0]; rule.Off {
		t.Errorf("the rule that is on again is %+v", rule)
	}
	p.Click("button", "Clear all faults")
	p.WaitText("main", "No rules")
	p.Miss("button", "Clear all faults")
	p.Wait(`document.activeElement.innerText.trim() === "New rule…"`)
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".rules", "createPet POST /pets responds 503 Down 1 of 2 hits") // with its count

	p.Choose("Turn on for", "every request") // also those that the first rule matches
	p.Click("button", "always")
	p.Click("button", "Cut off Breaks off in the middle")
	p.WaitText(".toasts", "now applies to every request, after 1 other rule.")
	p.WaitText(".rule:last-child", "every request breaks off")
	p.Choose("Turn on for", "listPets · GET /pets")
	p.WaitText(".presets", "Cut off On for every request · 0 hits Breaks off in the middle Add it for listPets")
	p.See("button", "Stop Cut off")
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.Click("button", "Add it for listPets")
	p.WaitText(".rule:last-child", "listPets GET /pets responds 503") // no other rule precedes it
	p.WaitText(".chips", "2 faults")
	create(t, w, "Rex")
	p.WaitText(".chips", "1 fault") // the other one is used up
	p.In(".rule.off").Click("button", "Start again")
	p.Wait(`document.querySelectorAll(".rule:not(.off)").length === 2`)
}

// menu chooses an item of the menu of the rule at the selector.
func menu(p *page, selector, what string) {
	p.Wait(`document.querySelector("` + selector + `")`)
	id := browsertest.Eval[string](p, `document.querySelector("`+selector+` .id").textContent`)
	p.In(selector).Click("button", "What to do with "+id)
	p.In(selector).Click("menuitem", what)
}

// TestPresetStaysOn checks that a preset shows its rule and how to stop it, whatever is chosen, and
// that the chip of the header resets the choice.
func TestPresetStaysOn(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults&times=2")
	p.Click("button", "Down Responds 503")
	p.WaitText(".preset.on", "Down On for every request · 0 of 2 hits Responds 503 Stop")
	answers(503)(t, w)
	p.Click("button", "always")
	p.WaitText(".preset.on .what", "Add it for every request")
	p.Click("button", "5 times")
	p.WaitText(".preset.on .what", "Add it for every request, 5 times")
	p.Wait(`location.search === "?view=faults&times=5"`)
	p.See("button", "Stop Down")
	p.Choose("Turn on for", "getPet · GET /pets/{petId}")
	_ = browsertest.Eval[any](p, `void document.querySelector(".preset.on strong").click()`) // adds no rule
	p.Click("button", "Add it for getPet, 5 times")
	p.WaitText(".preset.on", "Down On for getPet and every request · 1 hit Responds 503 Stop")
	p.Wait(`document.activeElement.ariaLabel === "Stop Down"`)
	p.Click("link", "2 faults on")
	p.Wait(`location.search === "?view=faults" && document.querySelector("select").value === ""`)
	p.Wait(`document.querySelector(".choice [aria-pressed=true]").innerText === "always"`)
	p.Click("button", "Stop Down") // both rules
	p.WaitText("main", "No rules")
}

// TestMovedRules drags a rule, and checks that a line shows where it will be, and that no count changes. The switch of
// a rule that is used up starts it again.
func TestMovedRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t,
		Put("/admin/faults",
			`[{"match": {"operationId": "getPet"}, "times": 1, "status": 503}, {"status": 502, "probability": 0}, `+
				`{"delay": {"fixedMs": 1}}]`))
	w.Get(t, "/pets/1")
	p := show(t, w, "/?view=faults")
	p.WaitText(".rule:first-child", "Used up")
	p.Wait(`(([usedUp, , on]) => usedUp !== on)([...document.querySelectorAll(".rule .switch")].map((e) =>
		getComputedStyle(e, "::before").opacity))`)
	drag := func(event, selector string) {
		_ = browsertest.Eval[bool](p,
			`document.querySelector(".rule`+selector+`").dispatchEvent(new DragEvent("`+event+`", {dataTransfer: window.carried ??= new DataTransfer(), bubbles: true, cancelable: true}))`)
	}
	line := func(selector, want string) {
		p.Wait(`getComputedStyle(document.querySelector(".rule` + selector + `")).boxShadow.includes("` + want +
			` 0px 0px inset")`)
	}
	drag("dragstart", ":nth-child(2) .handle")
	p.Wait(`getComputedStyle(document.querySelector(".rule:nth-child(2)")).opacity < 1`)
	drag("dragover", ":nth-child(3) strong")
	line(":nth-child(3)", "0px -2px") // below it
	drag("dragleave", ":nth-child(3) strong")
	p.Wait(`!document.querySelector(".rule.over")`)
	drag("dragover", ":nth-child(1) strong")
	line(":nth-child(1)", "0px 2px") // above it
	drag("drop", ":nth-child(1) strong")
	drag("dragend", ".dragged .handle")
	p.WaitText(".rule:first-child .id", "rule 2")
	p.WaitText(".toasts", "Moved rule 2.")
	p.Wait(`!document.querySelector(".rule:is(.dragged, .over)")`)
	p.WaitText(".rule:nth-child(2)", "Used up Start again 1 of 1 hit")
	p.Click("button", "Start again")
	p.WaitText(".toasts", "Rule 1 starts again.")
	p.WaitText(".rule:nth-child(2)", "0 of 1 hit")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".rule:nth-child(2)", "Used up Start again 1 of 1 hit")
}

// TestRulesKeepTheirNumbers drops one of two rules, clears the other, restores it, switches it off
// and edits it.
func TestRulesKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults")
	p.Click("button", "Slow Waits 200 to 800 ms")
	p.WaitText(".toasts", "Slow: rule 1 now applies")
	p.Click("button", "Down Responds 503")
	p.WaitText(".rule:first-child .id", "rule 2")
	p.WaitText(".rule:last-child .id", "rule 1")
	p.WaitText(".rule:last-child", "Never reached: after “Down”")
	p.WaitText(".preset:not(.on):has(.state)", "Slow Hidden by “Down” · 0 hits")
	p.See("button", "Throttle: Down")
	p.Wait(`document.querySelector(".rule.off .id").innerText === "rule 1" &&
		document.querySelectorAll(".rule.off").length === 1`)
	p.In(".rule:last-child").Click("button", "Move above")
	p.WaitText(".toasts", "Moved above “Down”.")
	p.Wait(`document.activeElement.ariaLabel === "Rule 1"`)
	p.WaitText(".rule:last-child .id", "rule 2")
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".rule:last-child", "Never reached: after “Down” Move above")
	menu(p, ".rule:last-child", "Delete")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.WaitText(".rule", "responds 503")
	p.Wait(`!document.querySelector(".rule").innerText.includes("Never reached")`)
	p.Click("button", "Clear all faults")
	p.WaitText("main", "No rules")
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".rule:first-child .id", "rule 2")
	p.Click("switch", "Rule 2")
	p.WaitText(".toasts", "Rule 2 is off.")
	p.WaitText(".rule:first-child .id", "rule 2")
	menu(p, ".rule", "Edit…")
	p.Click("button", "More options")
	p.Fill("textbox", "Error message", "away")
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed the rule.")
	if rules := faults(t, w); len(rules) != 1 || rules[0].ID != 2 || rules[0].Message != "away" {
		t.Errorf("the rules are %+v, want rule 2 with its message", rules)
	}
}

// TestPresetKeepsCounts adds a preset after rules for some requests, and takes it back. The counts of the other rules
// continue. A preset whose own rule is off turns that rule on again.
func TestPresetKeepsCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, rule := range []string{`{"match": {"operationId": "getPet"}, "times": 1, "status": 503}`,
		`{"match": {"operationId": "listPets"}, "times": 5, "status": 503}`, `{"status": 503}`} {
		w.Must(t, Post("/admin/faults", rule))
	}
	w.Get(t, "/pets/1")
	w.Get(t, "/pets")
	p := show(t, w, "/?view=faults")
	p.WaitText(".rule:nth-child(2)", "1 of 5 hits")
	p.Click("button", "Flaky 1 in 10 gets a 503")
	p.WaitText(".toasts", "after 1 other rule.")
	p.WaitText(".rule:first-child", "Used up Start again 1 of 1 hit")
	p.WaitText(".rule:nth-child(2)", "responds 503 Down 1 of 5 hits")
	p.WaitText(".rule:nth-child(3)", "responds 503, 10 % of the time Flaky")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".rule:first-child", "Used up Start again 1 of 1 hit")
	p.In(".rule:first-child").Click("link", "1 of 1 hit")
	p.WaitText(".requests", "503 GET /pets/1")
	p.Wait(`location.search === "?q=fault%3A1" && document.querySelectorAll(".request").length === 1`)
	p.Click("link", "Faults")
	p.WaitText(".rule:first-child", "Used up Start again 1 of 1 hit")
	p.Click("button", "Throttle: Down")
	p.Click("menuitemradio", "Slow Waits 200 to 800 ms")
	p.WaitText(".toasts", "Slow now applies to every request, after 1 other rule.")
	p.WaitText(".rule:nth-child(2)", "responds 503 Down 1 of 5 hits")
	p.WaitText(".rule:last-child", "waits 200 to 800 ms Slow")
	p.Click("switch", "Rule "+strings.TrimPrefix(
		browsertest.Eval[string](p, `document.querySelector(".rule:last-child .id").textContent`), "rule "))
	p.WaitText(".toasts", "is off.")
	p.Click("button", "Throttle: Normal")
	p.Click("menuitemradio", "Slow Waits 200 to 800 ms")
	p.Wait(`document.querySelector(".rule:last-child:not(.off)")`)
	if rules := faults(t, w); len(rules) != 3 {
		t.Errorf("the rules are %+v, want three, of which one is Slow", rules)
	}
}

// TestRuleMovesAtEachPress presses a key twice before the server has answered, while an older response
// is still on its way. Each press counts, the old response changes nothing, and the focus stays.
func TestRuleMovesAtEachPress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/faults", `[{"status": 501}, {"status": 502}, {"status": 503}]`))
	p := show(t, w, "/?view=faults")
	p.WaitText(".rule:last-child", "responds 503")
	hold(p, "GET", "admin/faults")
	w.Must(t, Put("/admin/faults", `[{"id": 1, "status": 501}, {"id": 2, "status": 502}, {"id": 3, "status": 504}]`))
	p.Wait(`window.arrive`)
	p.Wait(`(document.querySelector(".rule:last-child .handle").focus(), ` +
		`document.activeElement.matches(".rule:last-child .handle"))`)
	p.Press(browsertest.Up, browsertest.Up)
	p.WaitText(".rule:first-child .id", "rule 3")
	p.WaitText("#toast-2", "Moved rule 3.") // of the second press
	p.Wait(`document.activeElement.matches(".rule:first-child .handle")`)
	browsertest.Eval[any](p, `void window.arrive()`)
	p.Wait(`document.querySelector(".rule:first-child .id").textContent === "rule 3"`)
	p.Press("`")
	p.WaitText(".drawer .done", "Your last 2 actions")
	p.WaitText(".drawer .done", "Move rule 3") // no control was pressed
	if rules := faults(t, w); rules[0].ID != 3 || rules[1].ID != 1 {
		t.Errorf("the rules are %+v", rules)
	}
}

// TestPresetThatWaits checks that a preset whose requests another rule takes first is not shown as on.
func TestPresetThatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/faults",
		`[{"times": 1, "delay": {"fixedMs": 200, "jitterMs": 600}}, {"match": {"operationId": "getPet"}, "status": 503}]`))
	p := show(t, w, "/?view=faults")
	p.WaitText(".preset.on", "Slow On for every request · 0 of 1 hit")
	p.WaitText(".preset:not(.on):has(.state)", "Down After “Slow” for getPet · 0 hits")
	p.WaitText(".rule:last-child .covered", "Not before “Slow” is used up")
	w.Get(t, "/pets")
	p.WaitText(".preset.on", "Down On for getPet · 0 hits")
}

// TestUndoOfRules stops a preset and clears the rules, and checks that Undo restores the order, and that the message
// stays until Undo would change nothing. The Undo of the last change outlasts its message.
func TestUndoOfRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/faults", `[{"status": 503}, {"delay": {"fixedMs": 200, "jitterMs": 600}}]`))
	p := show(t, w, "/?view=faults")
	p.Click("button", "Stop Slow")
	p.WaitText(".toasts", "Stopped Slow.")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undone.")
	if rules := faults(t, w); len(rules) != 2 || rules[0].ID != 1 || rules[1].ID != 2 {
		t.Errorf("after Undo the rules are %+v, want rules 1 and 2", rules)
	}
	p.Wait(`document.querySelectorAll(".rule").length === 2`) // the next Undo is about what the page shows
	p.Click("button", "Clear all faults")
	p.WaitText(".toasts", "Cleared all faults.")
	w.Must(t, Post("/admin/faults", `{"status": 418}`))
	p.WaitText(".rules", "responds 418")
	p.In(".toasts").Click("button", "Undo") // which others' rules do not withdraw
	p.WaitText(".toasts", "Undone.")
	if rules := faults(t, w); len(rules) != 3 || rules[0].ID != 1 || rules[1].ID != 2 || *rules[2].Status != 418 {
		t.Errorf("after Undo the rules are %+v, want rules 1 and 2, and that of the other client", rules)
	}
	p.Wait(`document.querySelectorAll(".rule").length === 3`)
	p.Click("button", "Clear all faults")
	p.In(".toasts").Click("button", "Dismiss") // the list and the palette still offer its Undo
	p.Click("button", "Find a command: Ctrl K")
	p.Fill("combobox", "Command", "undo cleared")
	p.WaitText(".palette [aria-selected=true]", "Undo: Cleared all faults.")
	p.Press(browsertest.Escape)
	p.Click("button", "Bring back 3 rules")
	p.WaitText(".rules", "responds 418")
	p.Click("button", "Stop Slow")
	p.WaitText(".toasts", "Stopped Slow.")
	p.Wait(`document.querySelectorAll(".rule").length === 2`)
	w.Must(t, Put("/admin/faults",
		`[{"id": 1, "status": 503}, {"id": 2, "delay": {"fixedMs": 200, "jitterMs": 600}}, {"id": 3, "status": 418}]`))
	p.Wait(`document.querySelectorAll(".rule").length === 3`)
	if browsertest.Eval[bool](p, `document.querySelector(".toasts").innerText.includes("Stopped")`) {
		t.Error("the message that a rule was stopped is there, although its Undo would change nothing")
	}
}

// TestLostRules checks that the view does not offer to bring back the rule deleted last where other rules are gone as
// well, as after a restart.
func TestLostRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/faults", `[{"status": 503}, {"status": 418}]`))
	p := show(t, w, "/?view=faults")
	menu(p, ".rule:last-child", "Delete")
	p.WaitText(".toasts", "Deleted rule")
	w.Must(t, Put("/admin/faults", `[]`))
	p.WaitText("main", "No rules")
	p.Miss("button", "Bring back 1 rule")
}

// TestLateListOfRules checks that a list from before a rule was deleted does not withdraw the message of that.
func TestLateListOfRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Post("/admin/faults", `{"status": 503}`))
	p := show(t, w, "/?view=faults")
	p.WaitText(".rules", "responds 503")
	hold(p, "GET", "admin/faults")
	w.Must(t, Put("/admin/faults", `[{"id": 1, "status": 503}]`))
	p.Wait(`window.arrive`)
	browsertest.Eval[any](p, `void new MutationObserver(() => window.arrive()).observe(`+
		`document.querySelector(".toasts"), {childList: true, subtree: true})`) // before the next list is requested
	p.Click("button", "Stop Down")
	p.WaitText(".toasts", "Stopped Down.")
	p.WaitText("main", "No rules")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Undone.")
}

// TestUndoOfDeletedRule checks what Undo says of a rule that another client has deleted.
func TestUndoOfDeletedRule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets/1")
	p := show(t, w, "/")
	openNewest(p)
	p.In(".detail").Click("button", "More")
	p.Click("menuitem", "Fail the next one (503)")
	p.WaitText(".toasts", "Rule 1 now applies to getPet.")
	w.Must(t, Delete("/admin/faults/1"))
	p.Allow("status of 404")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".toasts", "Couldn't undo: that rule no longer exists.")
}
