package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestSunsetThatIsNotEnforced goes past a sunset that is not enforced, checks that the page reports
// that the operation still responds, and enforces the sunset there. Then it undoes that on the axis.
func TestSunsetThatIsNotEnforced(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=time")
	p.Click("button", "Sunsets")
	p.Click("menuitem", "The day after getPet's sunset 2031-01-01")
	p.WaitText(".lane", "still answers")
	p.In(".toasts").Click("button", "Enforce getPet")
	p.WaitText(".toasts", "getPet answers 410 now.")
	w.Get(t, "/pets/1").Expect(t, 410, "operation_sunset")
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`document.querySelector(".lane .switch").ariaChecked === "false"`)
	p.Click("switch", "Enforce the sunset of getPet")
	p.Wait(`document.querySelector(".lane .switch").ariaChecked === "true"`)
	p.Wait(`document.querySelector(".bar-of.past").style.left === document.querySelector(".sunset.past").style.left`)
	p.Wait(`document.querySelector(".bar-of.gone").getBoundingClientRect().right ===
		document.querySelector(".track").getBoundingClientRect().right`) // what is to come shows it too
	p.Click("switch", "Enforce the sunset of getPet")
	p.Wait(`document.querySelector(".lane .switch").ariaChecked === "false"`)
	w.Get(t, "/pets/1").Expect(t, 200, "")
	w.Must(t, Patch("/admin/operations/listPets", `{"deprecated":true, "sunset": "2031-02-01", "enforceSunset":true}`))
	w.Must(t, Patch("/admin/operations/listOrders", `{"deprecated": true, "sunset": "2031-02-01"}`))
	p.WaitText(".lanes", "listOrders")
	w.Unchecked().Get(t, "/store/orders")
	p.WaitText("figcaption", "getPet and listOrders would break clients if their sunsets were enforced.")
	p.Click("button", "Sunsets")
	p.Wait(`document.querySelector(":popover-open hr").nextElementSibling.innerText.endsWith("2031-01-31")`)
	p.Press(browsertest.Escape)
	w.Must(t, Patch("/admin/operations/listOrders", `{"brownout": 0.25}`))
	p.WaitText(".lanes", "25 % 410")
	p.Fill("textbox", "Go to", "2031-03-01")
	p.Click("button", "Go")
	p.WaitText(".toasts", "It is 2031-03-01 now: listPets answers 410; getPet, listOrders (25 % 410) still answer.")
	p.In(".toasts").Click("button", "Enforce both")
	p.WaitText(".toasts", "getPet, listOrders answer 410 now.")
	p.Click("button", "Real time")
	p.WaitText(".toasts", "It is the machine's time again: 3 operations answer")
}

// TestPresetShowsItsState checks that a preset shows its target and how often it was applied,
// and that pressing it again turns it off.
func TestPresetShowsItsState(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults")
	p.WaitText("main", "No rules")
	p.Click("button", "Down Responds 503")
	p.WaitText(".presets .on", "Down On for every request · 0 hits")
	w.Get(t, "/pets")
	p.WaitText(".presets .on", "Down On for every request · 1 hit")
	p.See("button", "Throttle: Down")
	p.Wait(`!document.querySelector(".of-faults")`) // the throttle shows it
	p.Wait(`document.activeElement.ariaLabel === "Stop Down"`)
	p.In(".presets .on").Click("button", "Stop Down")
	p.WaitText("main", "No rules")
	p.See("button", "Throttle: Normal")
	w.Must(t, Put("/admin/faults", `[{"probability": 0.1, "status": 503}, {"status": 503}]`))
	p.Click("button", "Throttle: Flaky, Down")
	p.Wait(`[...document.querySelectorAll("[role=menuitemradio][aria-checked=true]")].map((item) => item.innerText.split("\n")[0].trim()).join() === "Flaky,Down"`)
}

// TestThrottleKeepsRuleCounts checks that the throttle menu neither revives a rule that is used up nor
// changes the count of another rule.
func TestThrottleKeepsRuleCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/faults",
		`[{"match": {"operationId": "listPets"}, "status": 503, "times": 1}, {"status": 503, "times": 3}]`))
	for range 2 {
		w.Get(t, "/pets")
	}
	p := show(t, w, "/")
	p.Click("button", "Throttle: Normal")
	p.Click("menuitemradio", "Slow Waits 200 to 800 ms")
	p.WaitText(".toast", "Slow now applies to every request, after 1 other rule.")
	p.Click("button", "Throttle: Slow")
	p.Click("menuitemradio", "Normal 1 fault stays")
	p.See("button", "Throttle: Normal")
	if got := string(w.Must(t, Get("/admin/faults")).
		Body); got != `[{"id":1,"applied":1,"match":{"operationId":"listPets"},"times":1,"status":503},`+
		`{"id":2,"applied":1,"times":3,"status":503}]`+"\n" {
		t.Errorf("the rules are %s", got)
	}
}

// TestMenuByKeys checks that arrows, Home, End, and the first letter of an item move the focus in a
// menu, that Enter chooses, that Escape and Tab close it, and that the drawer shows the call of an item
// and names the action by it.
func TestMenuByKeys(t *testing.T) {
	t.Parallel()
	_, p := newPage(t, "/")
	p.Press("`")
	p.Wait(`document.querySelector(".drawer")`)
	at := func(item string) {
		t.Helper()
		p.Wait(`document.activeElement.matches("[role^=menuitem]") && document.activeElement.innerText.startsWith("` +
			item + `")`)
	}
	closed := func(button string) {
		t.Helper()
		p.Wait(`!document.querySelector("[aria-expanded=true]") && document.activeElement.title === "` + button + `"`)
	}
	p.See("button", "Throttle: Normal") // which the page shows once it has read the sandbox
	browsertest.Eval[any](p, `void document.querySelector(".throttle").focus()`)
	p.Press(browsertest.Down)
	at("Normal")
	p.Press(browsertest.Up)
	at("Loses responses")
	p.Press(browsertest.Down, browsertest.Down)
	at("Slow")
	p.Press(browsertest.End)
	at("Loses")
	p.Press(browsertest.Home)
	at("Normal")
	p.Press("f")
	at("Flaky")
	p.WaitText(".drawer .control",
		`Flaky for every request Copy curl -s -X PUT \ --json '[{"probability":0.1,"status":503}]'`)
	p.Press(browsertest.Escape)
	closed("Throttle: Normal")
	p.Press(browsertest.Enter)
	at("Normal")
	p.Press(browsertest.Tab)
	p.Wait(`!document.querySelector("[aria-expanded=true]") && document.activeElement.matches(".find")`)
	browsertest.Eval[any](p, `void document.querySelector(".throttle").focus()`)
	p.Press(browsertest.Enter)
	at("Normal")
	p.Press(browsertest.Down, browsertest.Enter)
	closed("Throttle: Slow")
	p.WaitText(".drawer .done li", "Slow for every request Copy curl")
	p.Click("button", "Reset, fork, create or delete a sandbox")
	at("Fork “default”…")
	p.Press(browsertest.End)
	at("Reset “default”…") // the default sandbox cannot be deleted
}
