package pages_test

import (
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

func clock(t *testing.T, w *world) sandbox.ClockReading {
	t.Helper()
	var reading sandbox.ClockReading
	w.Get(t, "/admin/clock").Decode(t, &reading)
	return reading
}

func TestTimeTravel(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=time")
	p.WaitText(".lane", "getPet Enforce 0 calls · since 2026-01-01 · use /pets?id={petId}")
	p.Click("button", "Sunsets")
	p.Click("menuitem", "The day after getPet's sunset 2031-01-01")
	p.WaitText(".clock", "2031-01-01 00:00:")
	p.WaitText(".chips", "2031-01-01")
	p.WaitText(".timeline", "getPet still answers")
	p.In(".toasts").See("button", "Enforce getPet")
	p.WaitText(".toasts", "It is 2031-01-01, the day after getPet's sunset: getPet still answers.")
	p.Click("button", "Freeze")
	p.WaitText(".chips", "2031-01-01 frozen")
	p.WaitText(".clock", "UTC, frozen")
	p.Wait(`document.querySelector(".clock h2 .i")`)
	p.WaitText(".toasts", "The clock is frozen. Undo")
	p.In(".toasts").Miss("button", "Enforce getPet")
	if got := clock(t, w); !got.Frozen || got.Now.Format(time.DateOnly) != "2031-01-01" {
		t.Errorf("the clock is %+v", got)
	}
	p.Click("button", "+1 day")
	p.WaitText(".clock", "2031-01-02 00:00:")
	if right := browsertest.Eval[float64](p, `document.querySelector("[aria-labelledby=report] button")`+
		`.getBoundingClientRect().right - document.querySelector(".toasts").getBoundingClientRect().left`); right > 0 {
		t.Errorf("a toast covers %g pixels of the button of the report", right)
	}
	p.Wait(`[...document.querySelectorAll(".clock + .row button")].at(-1).getBoundingClientRect().right === ` +
		`document.querySelector(".timeline").getBoundingClientRect().right`)
	p.Click("button", "+1 h")
	p.WaitText(".clock", "2031-01-02 01:00:")
	p.Fill("textbox", "Go to", "new year")
	p.Click("button", "Go")
	p.WaitText(".clock + .row", "Write a date, or a date with a time")
	p.Resize(768, 800)
	p.Wait(`new Set([...document.querySelectorAll(".clock + .row button")].map((b) =>
		b.getBoundingClientRect().top)).size === 1`)
	p.Resize(375, 800)
	p.Wait(`((all) => ["top", "height"].map((of) => new Set(all.map((b) => b.getBoundingClientRect()[of])).size).join())(
		[...document.querySelectorAll(".clock + .row button")]) === "2,1"`) // none is high beside the error
	p.Resize(1280, 800)
	p.Wait(`document.querySelector(".travel .wrong").getBoundingClientRect().bottom <= ` +
		`document.querySelector(".timeline").getBoundingClientRect().top`)
	p.Click("button", "Show all 27 operations")
	p.Wait(`document.querySelector(".travel .wrong").textContent + document.querySelector(".travel input").value === ""`)
	p.Fill("textbox", "Go to", "2031-02-30")
	p.Wait(`!document.querySelector(".call[data-label='go']")`)
	p.Fill("textbox", "Go to", "2031-1-1")
	p.Click("button", "Go")
	p.WaitText(".clock", "2031-01-01 00:00:00")
	p.Fill("textbox", "Go to", "2032-02-29 12:30")
	p.Click("button", "Go")
	p.WaitText(".clock", "2032-02-29 12:30:00")
	p.Wait(`document.querySelector(".travel input").value === ""`)
	p.Fill("textbox", "Go to", "2025-06-01")
	p.Click("button", "Go")
	p.WaitText(".toasts", "It is 2025-06-01 now: getPet is not deprecated yet.")
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".clock", "2032-02-29 12:30:00")
	p.Click("button", "Real time")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
	p.WaitText(".toasts", "It is the machine's time again.")
	p.Click("button", "Undo")
	p.WaitText(".chips", "2032-02-29 frozen")
	p.Click("button", "Real time")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
	if got := clock(t, w); got.Frozen || got.Offset != 0 {
		t.Errorf("the clock is %+v", got)
	}
}

// TestDatesOfTime checks that each year is at its tick, that the dates of a bar are whole and beside the
// axis, and that no date of the view is broken over two lines.
func TestDatesOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/admin/operations/updatePet",
		`{"deprecated": true, "deprecatedSince": "2030-09-18", "sunset": "2031-01-01"}`))
	w.Get(t, "/pets/1")
	w.Must(t, Get("/pets/2").With("User-Agent", ""))
	p := show(t, w, "/?view=time")
	p.WaitText(".timeline", "from 2030-09-18")
	p.WaitText("[aria-labelledby=report]", "without a User-Agent 1 2")
	p.Wait(`[...document.querySelectorAll("[aria-labelledby=report] a")].some((a) =>
		a.textContent.includes("without") && a.search.includes("client%3Anone"))`)
	p.WaitText("figcaption", "would break")
	for _, width := range []int64{375, 1280} {
		p.Resize(width, 800)
		for _, day := range []string{"2030-12-30", "2031-01-02"} { // close to both sunsets
			w.Must(t, Put("/admin/clock", `{"now": "`+day+`T00:00:00Z", "frozen": true}`))
			p.WaitText(".clock", day)
			p.Wait(`[...document.querySelectorAll(".sunset")].every((flag) => {
				const date = getComputedStyle(flag, "::after")
				const left = flag.getBoundingClientRect().left + parseFloat(date.left)
				const now = document.querySelector(".now-line").getBoundingClientRect().left
				const end = document.querySelector(".axis").getBoundingClientRect().right
				return (left >= now || left + parseFloat(date.width) <= now || left + parseFloat(date.width) > end - 9) &&
					date.backgroundColor !== "rgba(0, 0, 0, 0)" // where there is no room beside the line
			})`)
		}
	}
	w.Must(t, Patch("/admin/operations/listPets",
		`{"deprecated": true, "deprecatedSince": "2030-09-18", "sunset": "2031-01-01"}`))
	p.WaitText(".lanes", "listPets")
	p.WaitText("[aria-labelledby=report]", "getPet")
	const below = `document.querySelector("[aria-labelledby=report]").getBoundingClientRect().top`
	top := browsertest.Eval[float64](p, below)
	browsertest.Eval[any](p, `void (() => {
		const slider = document.querySelector("input[type=range]")
		slider.value = slider.min
		slider.dispatchEvent(new Event("input", {bubbles: true}))
	})()`)
	p.WaitText(".timeline [role=status]", "listPets and updatePet are not deprecated; before")
	if now := browsertest.Eval[float64](p, below); now != top {
		t.Errorf("a drag moves what is below the axis from %g to %g", top, now)
	}
	p.Resize(375, 800)
	p.WaitText(".timeline [role=status]", "before 2026-01-01 getPet.") // on a phone too
	p.Wait(`(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(
		document.querySelector(".timeline [role=status]"))`)
	p.Resize(1280, 800)
	p.Click("button", "Sunsets")
	p.Wait(`[...document.querySelectorAll("[role=menuitem] small")].map((date) => date.innerText).join() ===
		"2030-12-30,2030-12-31,2031-01-01,2031-01-02"`)
	p.See("menuitem", "The day after listPets's sunset and 1 more 2031-01-02")
	p.Press(browsertest.Escape)
	for _, width := range []int64{1280, 768, 700, 375, 350} {
		p.Resize(width, 800)
		if off := browsertest.Eval[[]string](p, `(() => {
			const axis = document.querySelector(".axis").getBoundingClientRect()
			const near = (a, b) => Math.abs(a - b) < 1
			const years = [...document.querySelectorAll(".tick")].filter((tick) => {
				const { left, right } = tick.getBoundingClientRect()
				const at = axis.left + parseFloat(tick.style.getPropertyValue("--tick")) / 100 * axis.width
				return !near((left + right) / 2, at) && !near(left, axis.left) && !near(right, axis.right)
			})
			const dates = [...document.querySelectorAll(".lane-text .note")].filter((text) => {
				const { left, right } = text.getBoundingClientRect()
				return text.scrollWidth > text.clientWidth || innerWidth > 900 && right > axis.left
			})
			return [...years, ...dates].map((e) => e.textContent.trim())
		})()`); len(off) > 0 {
			t.Errorf("%d pixels wide, these are not where they belong: %q", width, off)
		}
		if broken := browsertest.Eval[[]string](p, `(() => {
			const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
			const range = new Range()
			const broken = []
			while (texts.nextNode()) {
				for (const { index, 0: date } of texts.currentNode.data.matchAll(/\d{4}-\d\d-\d\d/g)) {
					range.setStart(texts.currentNode, index)
					range.setEnd(texts.currentNode, index + date.length)
					if (range.getClientRects().length > 1) broken.push(texts.currentNode.data)
				}
			}
			return broken
		})()`); len(broken) > 0 {
			t.Errorf("%d pixels wide, the dates of these are broken: %q", width, broken)
		}
	}
}

func TestLifecycleOfOperation(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=time")
	p.Allow("status of 400")
	w.Get(t, "/pets") // which is no use of a deprecated operation
	p.Click("button", "Show all 27 operations")
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets 1 GET /pets stable")
	p.Resize(768, 800)
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets GET /pets 1 stable")
	p.Resize(1280, 800)
	p.Click("button", "Change listPets")
	p.Click("checkbox", "Deprecated")
	p.Miss("button", "Reset to the OpenAPI document")
	p.WaitText("dialog", "UTC. Empty: none Enforce the sunset: answer 410 after it Successor")
	p.Click("checkbox", "Enforce the sunset: answer 410 after it")
	p.Click("button", "Save")
	p.WaitText("dialog", "has no effect without a sunset")
	p.Click("checkbox", "Enforce the sunset: answer 410 after it")
	p.Wait(`document.querySelectorAll("datalist")[1].options[0].value > document.querySelectorAll("datalist")[0].options[0].value`)
	p.Fill("combobox", "Sunset", "tomorrow")
	p.Click("button", "Save")
	p.WaitText("dialog", "must be a date such as 2026-01-31 or a date and time such as 2026-01-31 09:30 in UTC")
	p.Wait(`document.activeElement.value === "tomorrow"`)
	// This change stays.
	w.Must(t, Patch("/admin/operations/listPets", `{"stability": "beta"}`))
	p.Fill("combobox", "Sunset", "2040-01-01 18:30")
	p.WaitText("dialog", "Share of 410s until the sunset is enforced")
	p.Fill("textbox", "Brown-out (%)", "700")
	p.Click("button", "Save")
	p.WaitText("dialog", "Brown-out (%) must be from 0 to 100, not 700")
	p.Fill("textbox", "Brown-out (%)", "0.7 %")
	p.Click("button", "Save")
	p.WaitText(".lanes", "listPets 0.7 % 410 Enforce 1 call · since 2026-07-01")
	p.WaitText("figcaption", "one client would break on 2040-01-01 18:30: Go-http-client (1 call).") // of the journal
	p.Click("button", "Lifecycle of listPets")
	p.Fill("textbox", "Brown-out (%)", "7")
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "Unsaved changes to listPets.")
	p.Click("button", "Keep editing")
	p.Wait(`[...document.querySelectorAll("dialog input")].at(-1).value === "7" &&
		!document.querySelector(".toasts").innerText.includes("Unsaved")`)
	p.Click("button", "Cancel")
	p.Click("button", "Lifecycle of listPets")
	p.Wait(`[...document.querySelectorAll("dialog input")].at(-1).value === "0.7"`)
	p.Press(browsertest.Escape) // nothing is lost
	p.Wait(`!document.querySelector("dialog") && !document.querySelector(".toasts").innerText.includes("Unsaved")`)
	p.WaitText(".chips", "1 operation changed")
	if body := string(w.Get(t, "/admin/operations").Body); !strings.Contains(body, `"brownout":0.007}`) {
		t.Errorf("the operations are %s", body)
	}
	answer := w.Unchecked().Get(t, "/pets")
	answer.ExpectHeader(t, "Sunset", "Sun, 01 Jan 2040 18:30:00 GMT")
	answer.ExpectHeader(t, "X-Stability", "beta")
	p.WaitText("[aria-labelledby=operations] tbody tr",
		"listPets changed 2 GET /pets beta 2026-07-01 2040-01-01 18:30, not enforced, 0.7 % brown-out")
	p.WaitText(".lanes", "2 calls · since 2026-07-01")
	p.WaitText("[aria-labelledby=report] tbody", "Go-http-client/1.1 2 2026-07-01 12:00:00 listPets")
	p.Wait(`!document.querySelector("[aria-labelledby=report]").innerText.includes("before deprecation")`) // by its date
	w.Unchecked().Do(t, Get("/pets").With("User-Agent", "Go-http-client/2.0"))
	p.WaitText("[aria-labelledby=report] tbody tr:only-child", "Go-http-client/1.1, Go-http-client/2.0 3 ") // by name
	w.Must(t, Patch("/admin/operations/listPets", `{"brownout": 1}`))
	w.Unchecked().Get(t, "/pets").Expect(t, 410, "operation_sunset")
	p.WaitText("[aria-labelledby=report] tbody", "listPets (1 × 410)")
	w.Must(t, Patch("/admin/operations/listPets", `{"brownout": 0.007}`))
	_ = saving(p)
	p.Click("button", "Save as JUnit XML")
	p.Wait(`window.name === "deprecated-use.xml" && window.savedText.includes('<testcase') && window.savedText.includes("listPets")`)
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`!document.querySelector(".timeline").innerText.includes("listPets")`)
	// The other client's change stays.
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets changed 4 GET /pets beta")
	p.Click("button", "Change listPets")
	p.Click("button", "Reset to the OpenAPI document")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
	p.In(".toasts").Click("button", "Undo")
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets changed 4 GET /pets beta")
	p.Click("button", "Lifecycle of getPet")
	p.Click("checkbox", "Deprecated")
	p.Click("button", "Save")
	p.Wait(`!document.querySelector(".timeline").innerText.includes("getPet")`)
	p.In(".toasts").Click("button", "Undo")
	p.WaitText(".lanes", "getPet Enforce 0 calls · since 2026-01-01 · use /pets?id={petId}") // with all that ended
}
