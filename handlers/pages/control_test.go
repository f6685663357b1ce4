package pages_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/browsertest"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

func clock(t *testing.T, w *world) sandbox.ClockReading {
	t.Helper()
	var reading sandbox.ClockReading
	w.Get(t, "/admin/clock").Decode(t, &reading)
	return reading
}

func TestFaultsInOneClick(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=faults")
	p.WaitText("main", "No faults")
	p.Choose("For", "createPet · POST /pets")
	p.Click("button", "twice")
	p.Click("button", "Down Every request gets a 503.")
	p.WaitText(".rules", "createPet responds 503, 2 times")
	create(t, w, "Rex")
	p.WaitText(".applied", "applied 1× 1 time left")
	p.Click("switch", "Rule 1")
	p.WaitText(".applied", "switched off")
	if rule := faults(t, w)[0]; rule.Probability == nil || *rule.Probability != 0 {
		t.Errorf("the rule that is off has the probability %v", rule.Probability)
	}
	p.Click("switch", "Rule 1")
	p.WaitText(".applied", "applied 0×")
	if rule := faults(t, w)[0]; rule.Probability != nil {
		t.Errorf("the rule that is on again has the probability %v", *rule.Probability)
	}
	p.Click("button", "Clear all faults")
	p.WaitText("main", "No faults")
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".rules", "createPet responds 503, 2 times")

	create(t, w, "Rex")
	p.WaitText(".applied", "1 time left")
	p.Choose("For", "every request") // also those that the first rule matches
	p.Click("button", "always")
	p.Click("button", "Cut off The response breaks off in the middle.")
	p.WaitText(".toasts", "now applies to every request, before all others.")
	p.WaitText(".rule:first-child", "every request breaks off")
	p.WaitText(".rule:last-child", "createPet responds 503, once") // with the remaining count
	p.Choose("For", "listPets · GET /pets")
	p.See("button", "Cut off On for every request · 0× The response breaks off in the middle.")
	p.See("button", "Stop Cut off")
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.Click("button", "Down On for createPet · 0 of 1× Every request gets a 503.")
	p.WaitText(".rule:last-child", "listPets responds 503") // no other rule precedes it
	p.WaitText(".chips", "2 faults")
	create(t, w, "Rex")
	p.WaitText(".chips", "1 fault") // the other one is used up
	p.Wait(`document.querySelectorAll(".rule.off [role=switch][aria-checked=false]").length === 1`)
	p.In(".rule.off").Click("switch", "Rule "+browsertest.Eval[string](p, `document.querySelector(".rule.off .id").textContent`))
	p.Wait(`document.querySelectorAll(".rule:not(.off)").length === 2`)
}

// menu chooses an item of the menu of the rule at the selector.
func menu(p *page, selector, what string) {
	p.Wait(`document.querySelector("` + selector + `")`)
	id := browsertest.Eval[string](p, `document.querySelector("`+selector+` .id").textContent`)
	p.In(selector).Click("button", "What to do with rule "+id)
	p.In(selector).Click("menuitem", what)
}

// TestRuleFromChoices builds a rule from choices, checks which requests it would have matched, and
// moves it by its handle.
func TestRuleFromChoices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		w.Get(t, "/pets/1")
	}
	create(t, w, "Rex")
	p := show(t, w, "/?view=faults")
	p.Click("button", "New rule…")
	p.WaitText("dialog", "It would have hit 4 of the last 4 requests.")
	p.Choose("Operation", "getPet · GET /pets/{petId}")
	p.WaitText("dialog", "It would have hit 3 of the last 4 requests.")
	p.Fill("textbox", "How many requests", "2")
	p.WaitText("dialog", "It would have hit 2 of the last 4 requests.")
	p.Fill("textbox", "Response status", "503")
	p.Fill("textbox", "Delay (ms)", "5")
	p.Click("button", "Add")
	p.WaitText(".rules", "getPet waits 5 ms, then responds 503, 2 times")
	p.Click("button", "Slow Every response waits 200 to 800 ms.")
	p.WaitText(".rule:first-child", "every request waits")
	browsertest.Eval[any](p, `void document.querySelector(".rule:last-child .handle").focus()`)
	p.Press(browsertest.Up)
	p.WaitText(".rule:first-child", "getPet waits 5 ms")
	if rules := faults(t, w); *rules[0].Status != 503 {
		t.Errorf("the rules are %+v", rules)
	}
}

// TestPresetStaysOn checks that a preset shows its rule and how to stop it, whatever is chosen, and
// that the chip of the header resets the choice.
func TestPresetStaysOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=faults&times=2")
	p.Click("button", "Down Every request gets a 503.")
	p.WaitText(".preset.on", "Down On for every request · 0 of 2× Every request gets a 503. Stop")
	answers(503)(t, w)
	p.Click("button", "5 times")
	p.Wait(`location.search === "?view=faults&times=5"`)
	p.See("button", "Stop Down")
	p.Choose("For", "getPet · GET /pets/{petId}")
	p.Click("button", "Down On for every request · 1 of 2× Every request gets a 503.")
	p.WaitText(".preset.on", "Down On for getPet · 0 of 5× · 1 more rule")
	p.Wait(`!document.querySelector(".preset.on button.what") && document.activeElement.ariaLabel === "Stop Down"`)
	p.Click("link", "2 faults on")
	p.WaitText(".preset.on", "1 more rule")
	p.Wait(`location.search === "?view=faults" && document.querySelector("select").value === ""`)
	p.Wait(`document.querySelector(".choice [aria-pressed=true]").innerText === "always"`)
	p.Click("button", "Stop Down")
	p.WaitText(".preset.on", "Down On for every request · 0 of 1×") // what was left of it
	p.Click("button", "Stop Down")
	p.WaitText("main", "No faults")
}

// TestMovedRules drags a rule, and checks that a line shows where it will be, and that a move reports
// what it does to the counts.
func TestMovedRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, contracttest.Put("/admin/faults", `[{"match": {"operationId": "getPet"}, "times": 1, "status": 503}, {"status": 502, "probability": 0}, {"delay": {"fixedMs": 1}}]`))
	w.Get(t, "/pets/1")
	p := show(t, w, "/?view=faults")
	p.WaitText(".rule:first-child", "used up")
	drag := func(event, selector string) {
		_ = browsertest.Eval[bool](p, `document.querySelector(".rule`+selector+`").dispatchEvent(new DragEvent("`+event+`", {dataTransfer: window.carried ??= new DataTransfer(), bubbles: true, cancelable: true}))`)
	}
	line := func(selector, want string) {
		p.Wait(`getComputedStyle(document.querySelector(".rule` + selector + `")).boxShadow.includes("` + want + ` 0px 0px inset")`)
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
	p.WaitText(".rule:first-child", "rule 2")
	p.WaitText(".toasts", "Moved rule 2. The counts start again: rule 1 is on again.")
	p.Wait(`!document.querySelector(".rule:is(.dragged, .over)")`)
}

// TestRulesKeepTheirNumbers drops one of two rules, clears the other, restores it, switches it off
// and edits it.
func TestRulesKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=faults")
	p.Click("button", "Slow Every response waits 200 to 800 ms.")
	p.WaitText(".toasts", "Slow: rule 1 now applies")
	p.Click("button", "Down Every request gets a 503.")
	p.WaitText(".rule:first-child .id", "2")
	p.WaitText(".rule:last-child .id", "1")
	p.WaitText(".rule:last-child", "never reached: rule 2 takes all")
	menu(p, ".rule:last-child", "Delete")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.WaitText(".rule", "responds 503")
	p.Wait(`!document.querySelector(".rule").innerText.includes("never reached")`)
	p.Click("button", "Clear all faults")
	p.WaitText("main", "No faults")
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.WaitText(".rule:first-child .id", "2")
	p.Click("switch", "Rule 2")
	p.WaitText(".applied", "switched off")
	p.WaitText(".rule:first-child .id", "2")
	menu(p, ".rule", "Edit…")
	p.Fill("textbox", "Message", "away")
	p.Click("button", "Save")
	p.WaitText(".toasts", "Changed the rule.")
	if rules := faults(t, w); len(rules) != 1 || rules[0].ID != 2 || rules[0].Message != "away" {
		t.Errorf("the rules are %+v, want rule 2 with its message", rules)
	}
}

func TestRulesAsFormAndJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=faults")
	p.Allow("status of 400")
	p.Click("button", "New rule…")
	p.Wait(`document.activeElement.labels?.[0].innerText === "Operation"`)
	p.WaitText("dialog", "There are no requests yet")
	p.Click("button", "More conditions")
	p.Fill("textbox", "Path", "/pets/*")
	p.Fill("textbox", "Response status", "")
	p.Click("button", "Add")
	p.WaitText("dialog .error-note", "Nothing would happen")
	p.Fill("textbox", "Response status", "99")
	p.Fill("textbox", "Delay (ms)", "soon")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([placeholder='0'])", "Delay (ms) must be an integer")
	p.Fill("textbox", "Delay (ms)", "")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([aria-invalid])", "Response status must be from 200 to 599, not 99")
	p.Wait(`document.activeElement.ariaInvalid === "true" && !document.querySelector("dialog .error-note") && !document.querySelector("dialog").innerText.includes("/status")`)
	p.Fill("textbox", "Response status", "418")
	p.Click("button", "JSON")
	p.Fill("textbox", "The rule as JSON", `{"status": `)
	p.Click("button", "Form")
	p.WaitText("dialog .error-note", "This is not JSON: ")
	p.Click("button", "JSON") // where it is
	p.Wait(`document.querySelector("dialog textarea").value === '{"status": '`)
	p.Click("button", "Discard, and go back to the form")
	p.Wait(`!document.querySelector("dialog .error-note, dialog textarea")`)
	p.Click("button", "JSON")
	p.Fill("textbox", "The rule as JSON", `}`)
	p.Click("button", "Form")
	p.WaitText("dialog .error-note", "This is not JSON: ")
	p.Fill("textbox", "The rule as JSON", `{"match": {"path": "/pets/*"}, "status": 418, "times": 3}`)
	p.Wait(`!document.querySelector("dialog .error-note")`)
	p.Click("button", "Form")
	p.Click("button", "Add")
	p.WaitText(".rules", "any method /pets/* responds 418, 3 times")
	if rules := faults(t, w); len(rules) != 1 || *rules[0].Status != 418 || *rules[0].Times != 3 || rules[0].Match.Path != "/pets/*" {
		t.Errorf("rules = %+v", rules)
	}
	p.Click("button", "Flaky One of ten requests gets a 503.")
	p.WaitText(".rule:first-child", "10 % of the time responds 503")
	menu(p, ".rule:first-child", "Move down")
	p.WaitText(".rule:last-child", "10 % of the time responds 503")
	if rules := faults(t, w); len(rules) != 2 || *rules[0].Status != 418 || *rules[1].Status != 503 {
		t.Errorf("after moving the first down: %+v", rules)
	}
	menu(p, ".rule:last-child", "Delete")
	p.WaitText(".toasts", "Deleted rule")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.Click("button", "New rule…")
	p.Choose("Connection", "break the connection")
	p.Choose("Connection", "respond with")
	p.Wait(`document.querySelector("dialog [placeholder='its own']").value === "503"`)
	p.Choose("Connection", "never respond")
	p.Click("button", "Add")
	p.WaitText(".toasts", "comes before it, and takes requests of any method /pets/*.")
	p.Wait(`document.querySelectorAll(".rule").length === 2`)
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
}

// TestPresetReportsRemovedRule adds a preset where a rule is used up. The rule goes, and the page says so.
func TestPresetReportsRemovedRule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, rule := range []string{`{"match": {"operationId": "getPet"}, "times": 1, "status": 503}`, `{"status": 503}`} {
		w.Must(t, request{Method: "POST", Path: "/admin/faults", Body: rule})
	}
	w.Get(t, "/pets/1")
	p := show(t, w, "/?view=faults")
	p.WaitText(".rule:first-child", "used up")
	p.WaitText(".rule:last-child", "every request responds 503 Down")
	p.Click("button", "Flaky One of ten requests gets a 503.")
	p.WaitText(".toasts", "before all others. Removed what was used up: rule 1.")
	p.Wait(`document.querySelectorAll(".rule").length === 2`)
}

// TestRuleFitsTheWindow checks that the whole form fits the window of a small laptop, and that the
// error of one rule among several is shown at its field.
func TestRuleFitsTheWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, rule := range []string{`{"status": 503}`, `{"abort": "hang"}`} {
		w.Must(t, request{Method: "POST", Path: "/admin/faults", Body: rule})
	}
	p := show(t, w, "/?view=faults")
	p.Resize(1280, 800)
	p.Allow("status of 400")
	menu(p, ".rule:last-child", "Edit…")
	p.Wait(`document.querySelector("dialog").scrollHeight <= document.querySelector("dialog").clientHeight`)
	p.Click("button", "More conditions")
	p.Fill("textbox", "Probability", "2")
	p.Choose("Connection", "break the connection")
	p.Click("button", "Save")
	p.WaitText("dialog .field:has([aria-invalid])", "Probability must be from 0 to 1, not 2")
	p.Wait(`document.querySelector("dialog").scrollHeight <= document.querySelector("dialog").clientHeight`)
}

func TestTimeTravel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=time")
	p.WaitText(".lane", "getPet called 0× Enforce then /pets?id={petId} 2026-01-01 to 2030-12-31")
	p.Click("button", "The day after getPet's sunset")
	p.WaitText(".clock", "2031-01-01 00:00:")
	p.WaitText(".chips", "2031-01-01")
	p.WaitText(".timeline", "2030-12-31 · still answers")
	p.Click("button", "Freeze")
	p.WaitText(".chips", "2031-01-01 frozen")
	if got := clock(t, w); !got.Frozen || got.Now.Format(time.DateOnly) != "2031-01-01" {
		t.Errorf("the clock is %+v", got)
	}
	p.Click("button", "+1 day")
	p.WaitText(".clock", "2031-01-02 00:00:")
	p.Click("button", "+1 h")
	p.WaitText(".clock", "2031-01-02 01:00:")
	p.Fill("textbox", "Go to", "new year")
	p.Click("button", "Go")
	p.WaitText(".clock + .row", "Write a date such as 2031-01-01")
	p.Fill("textbox", "Go to", "2031-02-30")
	p.Wait(`!document.querySelector(".call[data-label='go']")`)
	p.Fill("textbox", "Go to", "2031-01-01")
	p.Click("button", "Go")
	p.WaitText(".clock", "2031-01-01 00:00:00")
	p.Fill("textbox", "Go to", "2032-02-29 12:30")
	p.Click("button", "Go")
	p.WaitText(".clock", "2032-02-29 12:30:00")
	p.Click("button", "Real time")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
	if got := clock(t, w); got.Frozen || got.Offset != 0 {
		t.Errorf("the clock is %+v", got)
	}
}

// TestNowHandleByKeyboard moves the handle of the axis with the keyboard, as a user
// who cannot drag does.
func TestNowHandleByKeyboard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, request{Method: "PUT", Path: "/admin/clock", Body: `{"now": "2030-12-30T12:00:00Z", "frozen": true}`})
	w.Get(t, "/pets/1")
	p := show(t, w, "/?view=time")
	p.WaitText(".clock", "2030-12-30 12:00:00")
	p.WaitText("figcaption", "On 31 Dec 2030 one client")
	_ = browsertest.Eval[bool](p, `(() => {
		const slider = document.querySelector("input[type=range]")
		slider.value = Date.parse("2031-01-02")
		return slider.dispatchEvent(new Event("input", {bubbles: true}))
	})()`)
	p.WaitText("figcaption", "2030-12-31 getPet is past its sunset, and still answers")
	p.WaitText("figcaption", "On 31 Dec 2030 one client") // so that nothing below moves
	p.WaitText(".clock", "2031-01-02 00:00:00 when you release")
	_ = browsertest.Eval[bool](p, `document.querySelector("input[type=range]").dispatchEvent(new Event("change", {bubbles: true}))`)
	p.WaitText(".chips", "2031-01-02 frozen")
	p.Wait(`document.querySelector("figcaption").innerText.includes("Drag") && (document.querySelector("input[type=range]").focus(), true)`)
	for range 20 { // as fast as a key repeats: each is a day
		p.Press(browsertest.Right)
	}
	p.WaitText(".chips", "2031-01-22 frozen")
	p.WaitText(".toasts", "It is 2031-01-22 now.")
	if got := clock(t, w).Now.Format(time.DateOnly); got != "2031-01-22" {
		t.Errorf("it is %s", got)
	}
}

// TestAxisOfTime checks that the first and last dates are readable, that the handle stays where it
// is released, and that the focus ring surrounds only the handle.
func TestAxisOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, request{Method: "PUT", Path: "/admin/clock", Body: `{"now": "2031-01-01T00:00:00Z", "frozen": true}`})
	w.Must(t, request{Method: "PATCH", Path: "/admin/operations/getPet", Body: `{"deprecated": false}`})
	p := show(t, w, "/?view=time")
	p.WaitText(".timeline", "Nothing is deprecated.")
	whole := func(what string) {
		t.Helper()
		if out := browsertest.Eval[string](p, `(() => {
			const axis = document.querySelector(".axis").getBoundingClientRect()
			return [...document.querySelectorAll(".tick, .now-line span")].filter((at) => {
				const { left, right, height } = at.getBoundingClientRect()
				return left < axis.left - 1 || right > axis.right + 1 || height > 24
			}).map((at) => at.textContent).join()
		})()`); out != "" {
			t.Errorf("%s: these are cut off or broken: %s", what, out)
		}
	}
	drag := func(to string) {
		t.Helper()
		browsertest.Eval[any](p, `void (() => {
			const slider = document.querySelector("input[type=range]")
			slider.value = slider.`+to+`
			slider.dispatchEvent(new Event("input", {bubbles: true}))
		})()`)
	}
	for _, width := range []int64{1280, 375} {
		p.Resize(width, 800)
		whole("nothing deprecated")
		for _, end := range []string{"min", "max"} {
			drag(end)
			p.Wait(`document.querySelector(".now-line span").textContent !== "now"`)
			whole(end)
		}
	}
	const handle = `document.querySelector(".now-line").getBoundingClientRect().left`
	before := browsertest.Eval[float64](p, handle)
	browsertest.Eval[any](p, `void document.querySelector("input[type=range]").dispatchEvent(new Event("change", {bubbles: true}))`)
	p.WaitText(".toasts", "It is 2031-")
	p.Wait(`document.querySelector(".now-line span").textContent === "now"`)
	if now := browsertest.Eval[float64](p, handle); math.Abs(now-before) > 1 {
		t.Errorf("the handle was released at %g, and is at %g", before, now)
	}

	p.Press(browsertest.Tab)
	browsertest.Eval[any](p, `void document.querySelector("input[type=range]").focus()`)
	p.Wait(`document.activeElement.matches(":focus-visible") && getComputedStyle(document.activeElement).outlineStyle === "none" && parseFloat(getComputedStyle(document.querySelector(".axis"), "::after").width) < 40`)
}

// TestDatesOfTime checks that each year is at its tick, and that the dates of a bar begin at the bar, or
// end with the axis.
func TestDatesOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, request{Method: "PATCH", Path: "/admin/operations/updatePet", Body: `{"deprecated": true, "deprecatedSince": "2030-09-18", "sunset": "2031-01-01"}`})
	p := show(t, w, "/?view=time")
	p.WaitText(".timeline", "2030-09-18 to 2031-01-01")
	for _, width := range []int64{1280, 768, 375} {
		p.Resize(width, 800)
		if off := browsertest.Eval[[]string](p, `(() => {
			const axis = document.querySelector(".axis").getBoundingClientRect()
			const near = (a, b) => Math.abs(a - b) < 1
			const years = [...document.querySelectorAll(".tick")].filter((tick) => {
				const { left, right } = tick.getBoundingClientRect()
				const at = axis.left + parseFloat(tick.style.getPropertyValue("--tick")) / 100 * axis.width
				return !near((left + right) / 2, at) && !near(left, axis.left) && !near(right, axis.right)
			})
			const dates = [...document.querySelectorAll(".track")].filter((track) => {
				const [bar, text] = [".bar-of", ".span-of"].map((name) => track.querySelector(name).getBoundingClientRect())
				return !near(text.left, bar.left) && !(near(text.right, axis.right) && text.left < bar.right)
			})
			return [...years, ...dates].map((e) => e.textContent.trim())
		})()`); len(off) > 0 {
			t.Errorf("%d pixels wide, these are not where they belong: %q", width, off)
		}
	}
}

func TestLifecycleOfOperation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=time")
	p.Allow("status of 400")
	p.Click("button", "Show all operations")
	p.Click("button", "Change listPets")
	p.Click("checkbox", "Deprecated")
	p.Click("checkbox", "Answer 410 after the sunset")
	p.Click("button", "Save")
	p.WaitText("dialog", "has no effect without a sunset")
	p.Click("checkbox", "Answer 410 after the sunset")
	p.Wait(`document.querySelectorAll("datalist")[1].options[0].value > document.querySelectorAll("datalist")[0].options[0].value`)
	p.Fill("combobox", "Sunset", "tomorrow")
	p.Click("button", "Save")
	p.WaitText("dialog", "must be a date")
	w.Must(t, request{Method: "PATCH", Path: "/admin/operations/listPets", Body: `{"stability": "beta"}`}) // this change stays
	p.Fill("combobox", "Sunset", "2040-01-01")
	p.Click("button", "Save")
	p.WaitText(".timeline", "listPets")
	p.WaitText(".chips", "1 lifecycle")
	answer := w.Unchecked().Get(t, "/pets")
	answer.ExpectHeader(t, "Sunset", "Sun, 01 Jan 2040 00:00:00 GMT")
	answer.ExpectHeader(t, "X-Stability", "beta")
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets changed GET /pets 1 beta 2026-07-01 2040-01-01 still answers")
	p.WaitText("[aria-labelledby=report] tbody", "listPets Go-http-client Go-http-client/1.1 1 2026-07-01 12:00:00")
	_ = saving(p)
	p.Click("button", "Save as JUnit XML")
	p.Wait(`window.name === "deprecated-use.xml" && window.savedText.includes('<testcase') && window.savedText.includes("listPets")`)
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`!document.querySelector(".timeline").innerText.includes("listPets")`)
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets changed GET /pets 1 beta") // the other client's change stays
	p.Click("button", "Change listPets")
	p.Click("button", "Undo my changes")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
}

func TestSnapshotsAndReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=snapshots")
	calls(p, "save a snapshot", "curl -s -X PUT '"+w.URL+"/admin/snapshots/snapshot-1'")
	p.Click("button", "Save snapshot")
	p.WaitText(".toasts", "Saved snapshot “snapshot-1”.")
	p.Wait(`document.querySelector("form input").value === "snapshot-2"`)
	w.Must(t, request{Method: "DELETE", Path: "/admin/snapshots/snapshot-1"})
	p.WaitText(".snapshots", "No snapshots")
	p.Fill("textbox", "Name of the snapshot", "Lesson 1")
	p.Click("button", "Save snapshot")
	p.WaitText(".snapshot", "lesson-1")
	create(t, w, "New")
	p.WaitText(".snapshot .delta", "+1")
	p.Click("button", "1 added, 0 changed, 0 removed")
	p.WaitText(".snapshots tr:has(table)", "added")
	p.Wait(`document.querySelector("tr table a").search === "?view=data&table=pets&open=7"`)
	p.Click("button", "Restore")
	p.WaitText(".toasts", "Restored “lesson-1”.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "0")
	create(t, w, "New")
	everything := string(w.Get(t, "/admin/snapshots").Body)
	for _, act := range [][2]string{{"Delete “lesson-1”…", "Delete snapshot “lesson-1”?"}, {"Replace snapshot…", "Replace snapshot “lesson-1”?"}} {
		p.Fill("textbox", "Name of the snapshot", "lesson-1")
		p.Click("button", act[0])
		leaves(p, act[1])
	}
	askReset(p, "default")
	leaves(p, "Reset “default”?")
	w.Get(t, "/admin/snapshots").ExpectJSON(t, everything)
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	p.Click("button", "Replace snapshot…")
	p.Click("button", "Replace")
	p.WaitText(".toasts", "Saved snapshot “lesson-1”.")
	p.WaitText(".snapshot", "nothing")
	p.Click("button", "Delete “lesson-1”…")
	p.Click("button", "Delete")
	p.WaitText(".toasts", "Deleted snapshot “lesson-1”.")
	askReset(p, "default")
	p.Click("DisclosureTriangle", "Only some parts")
	p.In("dialog").Click("checkbox", "clock")
	p.WaitText("dialog", "What you have chosen is then as when the sandbox was made.")
	p.In("dialog").Click("button", "Reset")
	p.WaitText(".toasts", "Reset: clock.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "1")
	askReset(p, "default")
	p.In("dialog").Click("button", "Save snapshot first")
	p.WaitText(".toasts", "Saved snapshot “snapshot-1”.")
	p.In("dialog").Click("button", "Reset")
	p.WaitText(".toasts", "Sandbox reset.")
	w.Get(t, "/pets?name=New").ExpectHeader(t, "X-Total-Count", "0")
}

// askReset opens the question before a reset, from the menu of the header.
func askReset(p *page, title string) {
	p.Click("button", "Reset, fork, make or delete a sandbox")
	p.Click("menuitem", "Reset “"+title+"”…")
}

// leaves checks that pressing Enter at a question changes nothing.
func leaves(p *page, question string) {
	p.See("heading", question)
	p.Wait(`["Cancel", "Cancel"].includes(document.activeElement.innerText)`)
	p.Press(browsertest.Enter)
	p.Wait(`!document.querySelector("dialog")`)
}

// TestKey checks that the page of a server with a key asks for it, keeps it in the tab, and
// reads it from the fragment of the address and removes it there.
func TestKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.AdminKey = "secret-key" })
	p := browsertest.Open(t, w.URL+"/")
	p.Allow("status of 401")
	p.WaitText("main", "This page needs a key")
	p.Wait(`!document.querySelector(".views")`) // which all need the key
	p.Fill("textbox", "Key", "wrong")
	p.Click("button", "Open")
	p.WaitText("main", "The key is not valid.")
	p.Wait(`document.activeElement.matches("[aria-invalid=true]") && document.activeElement.selectionEnd === 5`)
	p.Fill("textbox", "Key", "secret-key")
	p.Click("button", "Open")
	p.WaitText(".live", "live")
	p.WaitText("main", "No requests yet")
	p.Open(w.URL + "/?view=faults")
	p.WaitText(".live", "live")
	calls(p, "clear all faults", "Bearer ••••••")

	other := browsertest.Open(t, w.URL+"/?view=data#key=secret-key")
	other.WaitText(".live", "live")
	if address := browsertest.Eval[string](other, "location.href"); strings.Contains(address, "secret") {
		t.Errorf("the address is %s", address)
	}
}

func TestThemeIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/")
	ground := `getComputedStyle(document.body).backgroundColor`
	light := browsertest.Eval[string](p, ground)
	p.Click("button", "Use dark colours")
	p.See("button", "Use light colours")
	dark := browsertest.Eval[string](p, ground)
	if dark == light {
		t.Errorf("light and dark are both %s", dark)
	}
	p.Open(w.URL + "/?view=time")
	if got := browsertest.Eval[string](p, ground); got != dark {
		t.Errorf("the next page is %s, want %s", got, dark)
	}
}

func TestKeysAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, view := range []string{"requests", "data", "faults", "time", "snapshots", "sandboxes"} {
		p := show(t, w, "/?view="+view)
		p.Press("?")
		for _, keys := range []string{"? show the keys", "Requests / filter j next row", "p pause and go on", "Data / filter", "n add a record", "Sandboxes / find a sandbox"} {
			p.WaitText("dialog", keys)
		}
		p.Press(browsertest.Escape)
		p.Wait(`!document.querySelector("dialog")`)
	}
}

// TestToastsOfOneSubject checks that a newer toast replaces an older one on the same subject, that an
// outdated toast disappears, and that no toast covers the pager.
func TestToastsOfOneSubject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=time")
	one := func(text string) {
		t.Helper()
		p.Wait(`document.querySelectorAll(".toast").length === 1 && document.querySelector(".toast").innerText.includes("` + text + `")`)
	}
	p.Click("button", "+1 h")
	one("An hour later.")
	p.Click("button", "The day after getPet's sunset")
	one("It is 2031-01-01, the day after getPet's sunset.")
	p.WaitText(".chips", "2031-01-01")
	w.Must(t, request{Method: "POST", Path: "/admin/reset"}) // by another client
	p.Wait(`window.reset ||= !document.querySelector(".chip") && performance.now()`)
	p.Wait(`!document.querySelector(".toast") && performance.now() - reset < 2000`)

	p.Click("link", "Faults")
	p.Click("button", "Down Every request gets a 503.")
	one("now applies to every request")
	p.Click("button", "Clear all faults")
	p.Wait(`!document.querySelector(".rule")`)
	p.Wait(`document.querySelectorAll(".toast").length === 1 && !document.querySelector(".toast").innerText.includes("applies")`)
	p.In(".toast").Click("button", "Undo")
	p.WaitText(".rule", "every request responds 503")

	p.Open(w.URL + "/?view=data")
	for width, status := range map[int64]string{1280: "sold", 375: "pending"} {
		p.Resize(width, 800)
		p.Choose("Status of Rex", status)
		one("Rex is " + status + " now.")
		p.Wait(`document.querySelector(".toast").getBoundingClientRect().bottom <= document.querySelector(".pager").getBoundingClientRect().top`)
	}
}
