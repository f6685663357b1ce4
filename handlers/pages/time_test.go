package pages_test

import (
	"math"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

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
	p.Wait(`!document.querySelector(".toasts").innerText.includes("still answers")`) // the bar says it
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
	p.Resize(1280, 800)
	p.Wait(`document.querySelector(".travel .wrong").getBoundingClientRect().bottom <= ` +
		`document.querySelector(".timeline").getBoundingClientRect().top`)
	p.Click("button", "Show all operations")
	p.Wait(`document.querySelector(".travel .wrong").textContent === ""`)
	p.Fill("textbox", "Go to", "2031-02-30")
	p.Wait(`!document.querySelector(".call[data-label='go']")`)
	p.Fill("textbox", "Go to", "2031-01-01")
	p.Click("button", "Go")
	p.WaitText(".clock", "2031-01-01 00:00:00")
	p.Fill("textbox", "Go to", "2032-02-29 12:30")
	p.Click("button", "Go")
	p.WaitText(".clock", "2032-02-29 12:30:00")
	p.Wait(`document.querySelector(".travel input").value === ""`)
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

// TestNowHandleByKeyboard moves the handle of the axis with the keyboard, as a user
// who cannot drag does.
func TestNowHandleByKeyboard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/clock", `{"now": "2030-12-30T12:00:00Z", "frozen": true}`))
	w.Get(t, "/pets/1")
	for range 2 {
		w.Must(t, Get("/pets/1").With("User-Agent", "web-shop"))
	}
	p := show(t, w, "/?view=time")
	p.WaitText(".clock", "2030-12-30 12:00:00")
	p.WaitText("figcaption", "two clients would break on 2030-12-31: web-shop (2 calls)")
	w.Get(t, "/store/orders")
	w.Must(t, Patch("/admin/operations/listOrders", `{"deprecated": true, "deprecatedSince": "2031-06-01"}`))
	w.Unchecked().Get(t, "/store/orders") // the report has it, although its deprecation has not begun
	p.WaitText("[aria-labelledby=report] tbody tr", "web-shop 2 2030-12-30 12:00:00 getPet")
	p.WaitText(".lane:nth-child(3)", "listOrders")
	p.WaitText("[aria-labelledby=report] tbody",
		"3 2030-12-30 12:00:00 getPet 1; before deprecation: listOrders 2")
	p.Wait(`document.querySelectorAll("[aria-labelledby=report] tbody tr").length === 2`)
	_ = browsertest.Eval[bool](p, `(() => {
		const slider = document.querySelector("input[type=range]")
		slider.value = Date.parse("2031-01-02")
		return slider.dispatchEvent(new Event("input", {bubbles: true}))
	})()`)
	p.WaitText("figcaption", "two clients would break now")
	p.WaitText(".timeline [role=status]", "From 2030-12-31 getPet is past its sunset, and still answers: not enforced.")
	p.WaitText(".clock", "2031-01-02 00:00:00 on release: getPet still answers")
	_ = browsertest.Eval[bool](p,
		`document.querySelector("input[type=range]").dispatchEvent(new Event("change", {bubbles: true}))`)
	p.WaitText(".chips", "2031-01-02 frozen")
	p.WaitText(".axis", "now")
	p.WaitText(".timeline [role=status]", "Next: from 2031-06-01 listOrders is deprecated.")
	w.Must(t, Patch("/admin/operations/getPet", `{"brownout": 0.3}`))
	w.Must(t, Patch("/admin/operations/listOrders", `{"brownout": 0.5}`))
	p.WaitText(".lane:nth-child(3)", "50 % 410")
	_ = browsertest.Eval[bool](p, `(document.querySelector("input[type=range]").focus(), true)`)
	for range 20 { // as fast as a key repeats: each is a day
		p.Press(browsertest.Right)
	}
	p.WaitText(".chips", "2031-01-22 frozen")
	p.WaitText(".toasts", "It is 2031-01-22 now.")
	p.Wait(`(([dashes, bar, now]) => dashes.left === bar.left && Math.abs(dashes.right - now.left) < 2)(
		[".browned", ".bar-of", ".now-line"].map((part) => document.querySelector(part).getBoundingClientRect()))`)
	p.WaitText("figcaption", "getPet answers 30 % of its calls with 410 now. If the sunset")
	p.WaitText(".timeline [role=status]", "Drag “now” to see what changes on the way.")
	at := browsertest.Eval[[]float64](p, `[document.querySelector(".now-line").getBoundingClientRect().left + 1, `+
		`document.querySelector(".axis").getBoundingClientRect().bottom - 13]`)
	p.Do(chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, at[0]-200, at[1], chromedp.ButtonLeft))
	p.WaitText(".clock", "on release: getPet answers 30 % with 410; Esc cancels")
	p.Press(browsertest.Escape)
	p.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0]-300, at[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, at[0]-300, at[1], chromedp.ButtonLeft))
	p.Wait(`document.querySelector(".now").textContent === "now"`)
	if got := clock(t, w).Now.Format(time.DateOnly); got != "2031-01-22" {
		t.Errorf("it is %s", got)
	}
	w.Must(t, Put("/admin/clock", `{"now": "2027-01-01T00:00:00Z", "frozen": true}`))
	w.Unchecked().Do(t, Get("/pets/1").With("User-Agent", "web-shop"))
	p.WaitText("[aria-labelledby=report] tbody tr", "web-shop 3 2030-12-30 12:00:00 getPet")
	const axis = `(({min, max}) => [min, max].join())(document.querySelector("input[type=range]"))`
	before := browsertest.Eval[string](p, axis)
	p.Open(w.URL + "/?view=time")
	p.WaitText(".axis", "now")
	if after := browsertest.Eval[string](p, axis); after != before {
		t.Errorf("the axis is from %s, and from %s when the page is read again", before, after)
	}
}

// TestFingerOnAxis checks that a finger that scrolls from the axis does not move the clock.
func TestFingerOnAxis(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=time")
	p.WaitText(".lane", "getPet")
	const line = `document.querySelector(".now").textContent`
	browsertest.Eval[any](p, `void (() => {
		const slider = document.querySelector("input[type=range]")
		slider.value = slider.max
		slider.dispatchEvent(new Event("input", {bubbles: true}))
	})()`)
	p.Wait(line + ` !== "now"`)
	browsertest.Eval[any](p, `void document.querySelector("input[type=range]").dispatchEvent(new Event("pointercancel"))`)
	p.Wait(line + ` === "now"`)
	p.Resize(375, 812)
	touch(p, true)
	t.Cleanup(func() { touch(p, false) })
	p.Wait(`((axis, now) => [now - 60, now, now + 60].map((x) =>
		document.elementFromPoint(x, axis.bottom - 13).matches("input")).join() === "false,true,false")(
		document.querySelector(".axis").getBoundingClientRect(),
		document.querySelector(".now-line").getBoundingClientRect().left + 1)`)
}

// TestAxisOfTime checks that the first and last dates are readable, that the handle stays where it
// is released, and that the focus ring surrounds only the handle.
func TestAxisOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Put("/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Patch("/admin/operations/getPet", `{"deprecated": false}`))
	p := show(t, w, "/?view=time")
	p.WaitText(".timeline [role=status]", "Nothing is deprecated.")
	p.WaitText("[aria-labelledby=operations]", "getPet")
	p.Wait(`!document.querySelector("[aria-labelledby=report]")`)
	whole := func(what string) {
		t.Helper()
		if out := browsertest.Eval[string](p, `(() => {
			const axis = document.querySelector(".axis").getBoundingClientRect()
			return [...document.querySelectorAll(".tick, .now")].filter((at) => {
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
			p.Wait(`document.querySelector(".now").textContent !== "now"`)
			whole(end)
		}
	}
	const handle = `document.querySelector(".now-line").getBoundingClientRect().left`
	before := browsertest.Eval[float64](p, handle)
	browsertest.Eval[any](p,
		`void document.querySelector("input[type=range]").dispatchEvent(new Event("change", {bubbles: true}))`)
	p.WaitText(".toasts", "It is 2031-")
	p.Wait(`document.querySelector(".now").textContent === "now"`)
	if now := browsertest.Eval[float64](p, handle); math.Abs(now-before) > 1 {
		t.Errorf("the handle was released at %g, and is at %g", before, now)
	}

	p.Press(browsertest.Tab)
	browsertest.Eval[any](p, `void document.querySelector("input[type=range]").focus()`)
	p.Wait(`document.activeElement.matches(":focus-visible") && getComputedStyle(document.activeElement).outlineStyle === "none" && parseFloat(getComputedStyle(document.querySelector(".axis"), "::after").width) < 40`)
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
	p.Click("button", "Show all operations")
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets 1 GET /pets stable")
	p.Click("button", "Change listPets")
	p.Click("checkbox", "Deprecated")
	p.Miss("button", "Reset to the OpenAPI document")
	p.Click("checkbox", "Enforce the sunset: answer 410 after it")
	p.Click("button", "Save")
	p.WaitText("dialog", "has no effect without a sunset")
	p.Click("checkbox", "Enforce the sunset: answer 410 after it")
	p.Wait(`document.querySelectorAll("datalist")[1].options[0].value > document.querySelectorAll("datalist")[0].options[0].value`)
	p.Fill("combobox", "Sunset", "tomorrow")
	p.Click("button", "Save")
	p.WaitText("dialog", "must be a date")
	// This change stays.
	w.Must(t, Patch("/admin/operations/listPets", `{"stability": "beta"}`))
	p.Fill("combobox", "Sunset", "2040-01-01 18:30")
	p.WaitText("dialog", "Share of 410s until the sunset is enforced")
	p.Fill("textbox", "Brown-out (%)", "700")
	p.Click("button", "Save")
	p.WaitText("dialog", "Brown-out (%) must be from 0 to 100, not 700")
	p.Fill("textbox", "Brown-out (%)", "0.5")
	p.Click("button", "Save")
	p.WaitText(".lanes", "listPets 0.5 % 410 Enforce 1 call · since 2026-07-01")
	p.WaitText("figcaption", "one client would break on 2040-01-01 18:30: Go-http-client (1 call).") // of the journal
	p.Click("button", "Lifecycle of listPets")
	p.Fill("textbox", "Brown-out (%)", "7")
	p.Press(browsertest.Escape)
	p.WaitText(".toasts", "Unsaved changes to listPets.")
	p.Click("button", "Resume")
	p.Wait(`[...document.querySelectorAll("dialog input")].at(-2).value === "7" &&
		!document.querySelector(".toasts").innerText.includes("Unsaved")`)
	p.Click("button", "Cancel")
	p.Click("button", "Lifecycle of listPets")
	p.Wait(`[...document.querySelectorAll("dialog input")].at(-2).value === "0.5"`)
	p.Press(browsertest.Escape) // nothing is lost
	p.Wait(`!document.querySelector("dialog") && !document.querySelector(".toasts").innerText.includes("Unsaved")`)
	p.WaitText(".chips", "1 operation changed")
	answer := w.Unchecked().Get(t, "/pets")
	answer.ExpectHeader(t, "Sunset", "Sun, 01 Jan 2040 18:30:00 GMT")
	answer.ExpectHeader(t, "X-Stability", "beta")
	p.WaitText("[aria-labelledby=operations] tbody tr",
		"listPets changed 2 GET /pets beta 2026-07-01 2040-01-01 18:30, not enforced, 0.5 % brown-out")
	p.WaitText(".lanes", "2 calls · since 2026-07-01")
	p.WaitText("[aria-labelledby=report] tbody", "Go-http-client/1.1 2 2026-07-01 12:00:00 listPets")
	p.Wait(`!document.querySelector("[aria-labelledby=report]").innerText.includes("before deprecation")`) // by its date
	_ = saving(p)
	p.Click("button", "Save as JUnit XML")
	p.Wait(`window.name === "deprecated-use.xml" && window.savedText.includes('<testcase') && window.savedText.includes("listPets")`)
	p.In(".toasts").Click("button", "Undo")
	p.Wait(`!document.querySelector(".timeline").innerText.includes("listPets")`)
	// The other client's change stays.
	p.WaitText("[aria-labelledby=operations] tbody tr", "listPets changed 2 GET /pets beta")
	p.Click("button", "Change listPets")
	p.Click("button", "Reset to the OpenAPI document")
	p.Wait(`document.querySelector(".chips").innerText.trim() === ""`)
}

// TestAxisReturnsToItsScale checks that the axis is as long as before after a visit to a distant year.
func TestAxisReturnsToItsScale(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=time")
	const ticks = `[...document.querySelectorAll(".tick")].map((tick) => tick.textContent.trim()).join()`
	p.WaitText(".lane", "since 2026-01-01")
	usual := browsertest.Eval[string](p, ticks)
	for _, year := range []string{"0002", "9999"} {
		p.Fill("textbox", "Go to", year+"-01-01")
		p.Click("button", "Go")
		p.WaitText(".clock", year+"-01-01")
		p.Wait(ticks + ` !== "` + usual + `"`)
		p.Click("button", "Real time")
		p.Wait(ticks + ` === "` + usual + `"`)
	}
}

// TestDragOfNow checks that the axis stays in sight beside many operations, and that a drag stops at a sunset that is
// near, although a pixel is a day or more.
func TestDragOfNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, id := range []string{"listPets", "createPet", "listOrders", "createOrder", "listCategories", "deletePet"} {
		w.Must(t, Patch("/admin/operations/"+id, `{"deprecated": true, "sunset": "2029-03-04"}`))
	}
	p := show(t, w, "/?view=time")
	p.WaitText(".lanes", "deletePet")
	for _, width := range []int64{375, 1280} {
		p.Resize(width, 500)
		p.Wait(`(document.querySelector(".lane:last-child").scrollIntoView({block: "end"}), ((at) =>
			document.elementFromPoint(at.left + 1, at.top + 40).closest(".axis"))(
				document.querySelector(".now-line").closest(".lanes").previousElementSibling.getBoundingClientRect()))`)
	}
	at := browsertest.Eval[[]float64](p, `(({ bottom }) => [...["now-line", "sunset"].map((part) =>
		document.querySelector("." + part).getBoundingClientRect().left), bottom - 13])(
		document.querySelector(".axis").getBoundingClientRect())`)
	now, flag, y := at[0]+1, at[1]+12, at[2]
	p.Do(chromedp.MouseEvent(chromedp.MousePressed, now, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, flag-30, y, chromedp.ButtonLeft))
	p.Wait(`!["now", "2029-03-04"].includes(document.querySelector(".now").textContent)`)
	p.Do(chromedp.MouseEvent(chromedp.MouseMoved, flag-3, y, chromedp.ButtonLeft))
	p.WaitText(".now", "2029-03-04")
	p.Do(chromedp.MouseEvent(chromedp.MouseReleased, flag-3, y, chromedp.ButtonLeft))
	p.WaitText(".toasts", "It is 2029-03-04 now.")
}
