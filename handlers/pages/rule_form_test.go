package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

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
	p.WaitText(".rules", "getPet GET /pets/{petId} waits 5 ms, then responds 503 0 of 2 hits")
	p.Click("button", "Slow Waits 200 to 800 ms")
	p.WaitText(".rule:last-child", "every request waits")
	p.WaitText(".toasts", "Slow") // until then the list may be read again, which replaces the rows
	p.Wait(`(document.querySelector(".rule:last-child .handle").focus(), ` +
		`document.activeElement.matches(".rule:last-child .handle"))`)
	p.Press(browsertest.Up)
	p.WaitText(".rule:first-child", "every request waits")
	p.WaitText(".toasts", "Moved rule")
	if rules := faults(t, w); *rules[1].Status != 503 {
		t.Errorf("the rules are %+v", rules)
	}
	p.Press(browsertest.Down)
	p.WaitText(".rule:first-child", "getPet GET /pets/{petId} waits 5 ms")
	p.Wait(`document.activeElement.matches(".rule:last-child .handle")`)
}

func TestRulesAsFormAndJSON(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults")
	p.Allow("status of 400")
	p.Click("button", "New rule…")
	p.Wait(`document.activeElement.labels?.[0].innerText === "Operation"`)
	p.WaitText("dialog", "There are no requests yet")
	p.Click("button", "More options")
	p.Fill("textbox", "Path", "/pets/*")
	p.Fill("textbox", "Response status", "")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([aria-invalid])", "Response status is not given. Nothing would happen")
	p.Fill("textbox", "Response status", "99")
	p.Fill("textbox", "Delay (ms)", "soon")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([placeholder='0'])", "Delay (ms) must be an integer")
	p.Wait(`!document.querySelector("dialog .error-note")`)
	p.Fill("textbox", "How many requests", "0")
	p.Fill("textbox", "Delay (ms)", "")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([placeholder='all'])", "How many requests must be at least 1, not 0")
	p.Wait(`!document.querySelector("dialog").innerText.includes("give \"off\"")`)
	p.Fill("textbox", "How many requests", "")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([aria-invalid])", "Response status must be from 200 to 599, not 99")
	p.Wait(`(({ width }, [line]) => line.height < 24 && width > 500)(document.querySelector(".sentence .wrong")
		.getBoundingClientRect(), document.querySelector(".sentence .wrong").getClientRects())`)
	p.Wait(`document.activeElement.ariaInvalid === "true" && !document.querySelector("dialog .error-note") && !document.querySelector("dialog").innerText.includes("/status")`)
	p.Wait(`!document.querySelector("dialog [role=status]")`) // what a refused rule would have hit is not known
	p.Click("button", "JSON")
	p.WaitText("dialog .error-note", "status must be from 200 to 599, not 99")
	p.Click("button", "Form")
	p.Fill("textbox", "Response status", "418")
	p.Wait(`!document.querySelector("dialog [aria-invalid]")`)
	p.WaitText("dialog", "There are no requests yet")
	p.Click("button", "JSON")
	p.Fill("textbox", "The rule as JSON", `{"status": `)
	p.Click("button", "Form")
	p.WaitText("dialog .error-note", "This is not JSON: ")
	p.Click("button", "JSON") // which is kept
	p.Wait(`document.querySelector("dialog textarea").value === '{"status": '`)
	p.Click("button", "Discard, and go back to the form")
	p.Wait(`!document.querySelector("dialog .error-note, dialog textarea")`)
	p.Click("button", "JSON")
	for text, says := range map[string]string{`}`: "This is not JSON: ", `null`: "This is not a rule, which is an "} {
		p.Fill("textbox", "The rule as JSON", text)
		p.Click("button", "Form")
		p.WaitText("dialog .error-note", says)
	}
	p.Fill("textbox", "The rule as JSON", `{"match": {"path": "/pets/*"}, "status": 418, "times": 3}`)
	p.Wait(`!document.querySelector("dialog .error-note")`)
	p.Click("button", "Form")
	p.Click("button", "Add")
	p.WaitText(".rules", "any method /pets/* responds 418 0 of 3 hits")
	if rules := faults(t, w); len(rules) != 1 || *rules[0].Status != 418 || *rules[0].Times != 3 ||
		rules[0].Match.Path != "/pets/*" {
		t.Errorf("rules = %+v", rules)
	}
	p.Click("button", "Flaky 1 in 10 gets a 503")
	p.WaitText(".rule:last-child", "responds 503, 10 % of the time")
	menu(p, ".rule:last-child", "Move up")
	p.WaitText(".rule:first-child", "responds 503, 10 % of the time")
	menu(p, ".rule:first-child", "Move down")
	p.WaitText(".rule:last-child", "responds 503, 10 % of the time")
	p.Wait(`!document.querySelector(".rules [aria-expanded=true]")`)
	menu(p, ".rule:last-child", "Move up")
	p.WaitText(".rule:first-child", "responds 503, 10 % of the time")
	p.WaitText(".toasts", "Moved rule") // the rows change places before the server has responded
	if rules := faults(t, w); len(rules) != 2 || *rules[0].Status != 503 || *rules[1].Status != 418 {
		t.Errorf("after moving the last up: %+v", rules)
	}
	menu(p, ".rule:first-child", "Delete")
	p.WaitText(".toasts", "Deleted rule")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.Click("button", "New rule…")
	p.Choose("Connection", "break the connection")
	p.Choose("Connection", "respond with")
	p.Wait(`document.querySelector("dialog [placeholder='status']").value === "503"`)
	p.Choose("Connection", "wait")
	p.Wait(`document.querySelector("dialog .sentence [placeholder='0']").value === "500"`)
	p.Fill("textbox", "Delay (ms)", "")
	p.Click("button", "Add")
	p.WaitText("dialog .field:has([aria-invalid])", "Delay (ms) is not given.")
	p.Choose("Connection", "never respond")
	p.Wait(`!document.querySelector("dialog [placeholder='0']")`) // there is no delay
	p.WaitText("dialog", "Rule 1 goes first for any method /pets/*. Put this rule before it")
	p.Click("button", "JSON")
	p.WaitText("dialog", "that it would have hit.")
	p.WaitText("dialog", "Rule 1 goes first for any method /pets/*. Put this rule before it")
	p.Click("button", "Add")
	p.WaitText(".toasts", "A new rule applies to every request, after rule 1.")
	p.Wait(`document.querySelectorAll(".rule").length === 2`)
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
	p.Click("button", "New rule…")
	p.Click("checkbox", "Put this rule before it")
	p.Click("button", "Add")
	p.WaitText(".toasts", "A new rule applies to every request, before rule 1.")
	p.WaitText(".rule:first-child", "every request responds 503")
	p.Wait(`document.querySelectorAll(".rule").length === 2`)
	p.In(".toasts div:last-child").Click("button", "Undo")
	p.Wait(`document.querySelectorAll(".rule").length === 1`)
}

// TestRuleFitsTheWindow checks that the whole form fits the window of a small laptop, that a long operation fits a
// phone, and that the error of one rule among several is shown at its field.
func TestRuleFitsTheWindow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, rule := range []string{`{"status": 503}`, `{"abort": "hang"}`} {
		w.Must(t, Post("/admin/faults", rule))
	}
	p := show(t, w, "/?view=faults")
	p.Resize(1280, 800)
	p.Allow("status of 400")
	menu(p, ".rule:last-child", "Edit…")
	p.Wait(`document.querySelector("dialog").scrollHeight <= document.querySelector("dialog").clientHeight`)
	p.Resize(375, 240) // head and foot stay visible
	p.Wait(`["header", ".primary"].every((part) => {
		const { top, bottom } = document.querySelector("dialog " + part).getBoundingClientRect()
		const box = document.querySelector("dialog").getBoundingClientRect()
		return top >= box.top && bottom <= box.bottom && box.bottom <= innerHeight
	})`)
	p.Choose("Operation", "getPetPhoto · GET /pets/{petId}/photo")
	p.Wait(`document.querySelector("dialog").scrollWidth <= document.querySelector("dialog").clientWidth`)
	p.Wait(`[...document.querySelectorAll(".sentence select")].every((select) => select.offsetWidth > 100 &&
		select.getBoundingClientRect().right < document.querySelector(".sentence").getBoundingClientRect().right)`)
	p.Resize(1280, 800)
	p.Click("button", "More options")
	p.Fill("textbox", "Chance (%)", "200")
	p.Choose("Connection", "break the connection")
	p.Click("button", "Save")
	p.WaitText("dialog .field:has([aria-invalid])", "Chance (%) from 0 to 100")
	p.Wait(`document.querySelector("dialog").scrollHeight <= document.querySelector("dialog").clientHeight`)
}

// TestUnsavedRule closes the form of a filled rule and checks that the input is there again, by Resume or in the next
// form, and that Cancel discards it.
func TestUnsavedRule(t *testing.T) {
	t.Parallel()
	_, p := newPage(t, "/?view=faults")
	p.Click("button", "New rule…")
	p.Wait(`document.querySelector("dialog:modal")`)
	p.Press(browsertest.Escape) // nothing is lost
	p.Wait(`!document.querySelector("dialog, .toast")`)
	p.Click("button", "New rule…")
	p.Click("button", "More options")
	p.Fill("textbox", "Error message", "away")
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "The new rule is not added.")
	p.Click("link", "Data")
	p.Wait(`!document.querySelector(".toast")`)
	p.Click("link", "Faults")
	p.Click("button", "New rule…")
	p.Wait(`[...document.querySelectorAll("dialog input")].some((input) => input.value === "away")`)
	p.Click("button", "JSON")
	p.Fill("textbox", "The rule as JSON", `{"status": 418`)
	p.Press(browsertest.Escape)
	p.Click("button", "Resume")
	p.Wait(`document.querySelector("dialog textarea").value.endsWith("418")`)
	p.Click("button", "Cancel")
	p.Wait(`!document.querySelector("dialog, .toast")`)
}

// TestRuleFormInWords checks that the form offers the clients of the last requests and a chance in percent, hides
// what the chosen operation fixes, and shows both times of a rule such as Slow 3G.
func TestRuleFormInWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, Get("/pets/1").With("X-Client", "shop"))
	p := show(t, w, "/?view=faults")
	p.Click("button", "New rule…")
	p.Wait(`document.querySelector("dialog select").selectedOptions[0].text === "every request"`)
	p.Click("button", "More options")
	p.Choose("Method", "GET")
	p.Choose("Method", "any")
	p.See("textbox", "Path")
	p.Choose("Operation", "getPet · GET /pets/{petId}")
	p.Miss("textbox", "Path")
	p.Miss("combobox", "Method")
	p.Choose("Client", "shop")
	p.Fill("textbox", "Chance (%)", "")
	p.Press("1", "2", ".", "5") // the point stays while it ends the text
	p.Click("button", "Add")
	p.WaitText(".rules", "getPet GET /pets/{petId} with X-Client: shop responds 503, 12.5 % of the time")
	if rules := faults(t, w); *rules[0].Probability != 0.125 || rules[0].Match.Headers["X-Client"] != "shop" {
		t.Errorf("the rule is %+v", rules[0])
	}
	w.Must(t, Put("/admin/faults", `[{"match": {"operationId": "getPet"}, "status": 503},
		{"status": 503}, {"delay": {"p50Ms": 2000, "p99Ms": 5000}}]`))
	p.WaitText(".rules", "Slow 3G")
	menu(p, ".rule:last-child", "Edit…")
	p.Fill("textbox", "Usual delay (ms)", "1000")
	p.WaitText("dialog", "“Down” goes first for every request. Put this rule before it") // not rule 2, which takes some
	p.Wait(`!document.querySelector("dialog [type=checkbox]").checked`)                  // an edit moves nothing by itself
	p.Click("checkbox", "Put this rule before it")
	p.Miss("textbox", "Delay (ms)")
	p.Click("button", "Save")
	p.WaitText(".rules", "waits about 1000 ms, 1 in 100 over 5000 ms")
	p.WaitText(".rule:last-child", "responds 503 Down")
	w.Must(t, Put("/admin/faults", `[{"match": {"method": "GET", "path": "/pets/*"},
		"delay": {"fixedMs": 3, "jitterMs": 2}}]`))
	p.WaitText(".rules", "waits 3 to 5 ms")
	menu(p, ".rule", "Edit…")
	p.Wait(`[...document.querySelectorAll("dialog .sentence :is(select, input)")].map((e) =>
		e.selectedOptions?.[0].text ?? e.value).join(" ") === "GET /pets/* wait 3 2 "`)
	p.Choose("Connection", "respond with")
	p.Fill("textbox", "Error code", "away")
	p.Fill("textbox", "Retry-After (s)", "30")
	p.Choose("Fails", "after it, so a write stays")
	p.Resize(768, 1024)
	p.Wait(`(([first, second]) => first.top === second.top && first.right < second.left)(` +
		`["Random extra delay (ms)", "Fails"].map((label) => [...document.querySelectorAll("dialog .field")]` +
		`.find((field) => field.innerText.startsWith(label)).getBoundingClientRect()))`)
	p.Click("button", "Save")
	p.WaitText(".rules", "GET /pets/* waits 3 to 5 ms, then responds 503 (away)")
	if rules := faults(t, w); rules[0].Headers["Retry-After"] != "30" || rules[0].When != "after" {
		t.Errorf("the rule is %+v", rules[0])
	}
}
