package pages_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
)

// TestSelectRequestsByKeys selects requests by the keys of the data. New requests do not move the rows meanwhile.
func TestSelectRequestsByKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 6 {
		w.Get(t, "/pets/1")
	}
	p := show(t, w, "/")
	picked := func(ids string) {
		t.Helper()
		p.Wait(`[...document.querySelectorAll(".request[aria-checked=true]")].map(({id}) => id.slice(8)).join() === "` +
			ids + `"`)
	}
	combined := func(keys string) {
		t.Helper()
		browsertest.Eval[bool](p, `document.activeElement.dispatchEvent(
			new KeyboardEvent("keydown", {bubbles: true, cancelable: true, `+keys+`}))`)
	}
	p.Wait(`document.querySelectorAll(".request").length === 6`)
	p.Press("j", "j", "J", "J")
	picked("5,4,3")
	p.Press("K")
	picked("5,4")
	combined(`key: "ArrowDown", shiftKey: true`)
	picked("5,4,3")
	p.Press("j", "j", "X")
	picked("5,4,3,2,1")

	w.Get(t, "/pets/2")
	p.See("button", "1 new")
	p.Wait(`document.querySelectorAll(".request").length === 6`)
	p.Click("button", "1 new")
	p.Wait(`document.querySelectorAll(".request").length === 7`)
	w.Get(t, "/pets/3")
	p.See("button", "1 new")
	p.Press("k")
	combined(`key: "a", ctrlKey: true`)
	picked("7,6,5,4,3,2,1")
	p.Press(browsertest.Escape)
	p.Wait(`!document.querySelector(".picks") && document.querySelectorAll(".request").length === 8`)
	_ = browsertest.Eval[bool](p, `document.querySelector("#request-8").dispatchEvent(
		new MouseEvent("click", {bubbles: true, ctrlKey: true}))`)
	picked("8")
	p.Press("?")
	p.WaitText("dialog", "x select it, for a test Shift x select up to it Shift j select the next too")
}

// TestStatusesToTry offers the statuses that requests have, instead of one that none has.
func TestStatusesToTry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets/1")
	w.Get(t, "/pets/9999")
	p := show(t, w, "/?q=status:418")
	p.WaitText(".list", "Nothing matches status:418 Try status:404 status:200")
	p.Click("button", "status:404")
	p.WaitText(".request", "404 GET /pets/9999")
}

// TestPartOfTheTime presses a bar of the strip, and shows all times by a second press, by Escape, and by a press far
// from all bars. A finger that scrolls chooses nothing.
func TestPartOfTheTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Get(t, "/pets/1")
	p := show(t, w, "/")
	at := func(place, last string) {
		t.Helper()
		for _, name := range []string{"pointerdown", last} {
			_ = browsertest.Eval[bool](p, `((bars, bar = bars.querySelector(".bucket[title]").getBoundingClientRect()) =>
				bars.dispatchEvent(new PointerEvent("`+name+`", {bubbles: true, pointerId: 1, clientX: `+place+`})))(
				document.querySelector(".bars"))`)
			p.Wait(`document.querySelector(".part") || "` + name + `" !== "pointerdown"`)
		}
	}
	chosen := func(is string) {
		t.Helper()
		p.Wait(is + `new URLSearchParams(location.search).has("from")`)
	}
	p.Wait(`document.querySelector(".bucket[title]")`)
	at("bar.left + 2", "pointerup")
	chosen("")
	p.Wait(`document.querySelector(".request")`)
	at("bar.left + 2", "pointerup")
	chosen("!")
	at("bar.left - 9", "pointerup")
	chosen("")
	p.Press(browsertest.Escape)
	chosen("!")
	at("bar.left + 2", "pointerup")
	chosen("")
	at("bar.left + 300 * (bar.left < innerWidth / 2 ? 1 : -1)", "pointerup")
	chosen("!")
	p.Wait(`getComputedStyle(document.querySelector(".bars")).touchAction === "pan-y"`)
	at("bar.left + 2", "pointercancel")
	chosen("!")
}

// TestNewSearchBeginsAtTheTop checks that a new search shows its newest request, keeps the open request as long as it
// finds it, and does not lose the focus with a button that goes.
func TestNewSearchBeginsAtTheTop(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 40 {
		w.Get(t, "/pets/1")
	}
	p := show(t, w, "/?id=3")
	p.Wait(`document.querySelector(".list").scrollTop > 100`)
	p.Fill("combobox", "Search the requests", "status:2")
	p.Wait(`document.querySelector(".list").scrollTop === 0 && document.querySelector("#request-40")`)
	p.Wait(`new URLSearchParams(location.search).get("id") === "3" && document.querySelector(".detail")`)
	p.Fill("combobox", "Search the requests", "status:4")
	p.Wait(`!document.querySelector(".detail") && !new URLSearchParams(location.search).has("id")`)
	p.Click("button", "status:200")
	p.Wait(`document.activeElement.matches("[role=listbox]")`)
}
