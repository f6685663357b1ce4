package pages_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

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
	p.WaitText("[aria-labelledby=report] tbody", "web-shop 2 2030-12-30 12:00:00 getPet")
	p.WaitText(".lanes", "listOrders")
	p.WaitText("[aria-labelledby=report] tbody",
		"3 2030-12-30 12:00:00 getPet 1; before deprecation: listOrders 2")
	p.Wait(`document.querySelectorAll("[aria-labelledby=report] tbody tr").length === 2`)
	_ = browsertest.Eval[bool](p, `(() => {
		const slider = document.querySelector("input[type=range]")
		slider.value = Date.parse("2031-01-02")
		return slider.dispatchEvent(new Event("input", {bubbles: true}))
	})()`)
	p.WaitText("figcaption", "two clients would break then")
	p.WaitText(".timeline [role=status]", "From 2030-12-31 getPet is past its sunset, and still answers: not enforced.")
	p.WaitText(".clock", "2031-01-02 00:00:00 on release: getPet still answers; Esc cancels")
	_ = browsertest.Eval[bool](p, `document.querySelector("input[type=range]")
		.dispatchEvent(new Event("change", {bubbles: true}))`) // as a screen reader does, without a key
	p.WaitText(".chips", "2031-01-02 frozen")
	p.WaitText(".toasts", "It is 2031-01-02 now: getPet still answers. Enforce getPet Undo")
	p.WaitText(".axis", "now")
	p.WaitText(".timeline [role=status]", "Next: from 2031-06-01 listOrders is deprecated.")
	w.Must(t, Patch("/admin/operations/getPet", `{"brownout": 0.3}`))
	w.Must(t, Patch("/admin/operations/listOrders", `{"brownout": 0.5}`))
	p.WaitText(".lane:last-child", "not yet")
	_ = browsertest.Eval[bool](p, `(document.querySelector("input[type=range]").focus(), true)`)
	for range 20 { // as fast as a key repeats: each is a day
		p.Press(browsertest.Right)
	}
	p.Press(browsertest.Enter)
	p.WaitText(".chips", "2031-01-22 frozen")
	p.WaitText(".toasts", "It is 2031-01-22 now.")
	p.Wait(`(([dashes, bar, axis]) => dashes.left === bar.left && Math.abs(dashes.right - axis.right) < 2)(
		[".browned", ".bar-of", ".axis"].map((part) => document.querySelector(part).getBoundingClientRect()))`)
	p.WaitText("figcaption", "getPet answers 30 % of its calls with 410 now. If the sunset")
	p.WaitText(".timeline [role=status]", "Drag “now” to see what changes on the way.")
	browsertest.Eval[any](p, `void (() => { // Escape after the key is up
		const slider = document.querySelector("input[type=range]")
		slider.value = Date.parse("2031-02-01")
		for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, {bubbles: true}))
		setTimeout(() => slider.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"})), 400)
	})()`)
	p.WaitText(".clock", "2031-02-01 00:00:00 on Enter")
	p.Wait(`document.querySelector(".now").textContent === "now"`)
	at := browsertest.Eval[[]float64](p, `[document.querySelector(".now-line").getBoundingClientRect().left + 1, `+
		`document.querySelector(".axis").getBoundingClientRect().bottom - 13]`)
	p.Do(chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, at[0]-200, at[1], chromedp.ButtonLeft))
	p.WaitText(".clock", "on release: calls are answered as now; Esc cancels")
	p.Press(browsertest.Escape)
	p.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0]-300, at[1], chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, at[0]-300, at[1], chromedp.ButtonLeft))
	p.Wait(`document.querySelector(".now").textContent === "now"`)
	if got := clock(t, w).Now.Format(time.DateOnly); got != "2031-01-22" {
		t.Errorf("it is %s", got)
	}
	w.Must(t, Put("/admin/clock", `{"now": "2027-01-01T00:00:00Z", "frozen": true}`))
	w.Unchecked().Do(t, Get("/pets/1").With("User-Agent", "web-shop"))
	p.WaitText("[aria-labelledby=report] tbody", "web-shop 3 2030-12-30 12:00:00 getPet")
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
	w := newWorld(t)
	p := show(t, w, "/?view=time")
	p.WaitText(".lane", "getPet")
	const line = `document.querySelector(".now").textContent`
	p.Wait(`document.querySelector("input[type=range]").value === String(Date.parse("2026-07-01"))`) // at noon
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
	p.WaitText(".timeline [role=status]", "Drag “now” to preview; drag it back to cancel.")
	p.Wait(`((axis, now) => [now - 60, now, now + 60].map((x) =>
		document.elementFromPoint(x, axis.bottom - 13).matches("input")).join() === "false,true,false")(
		document.querySelector(".axis").getBoundingClientRect(),
		document.querySelector(".now-line").getBoundingClientRect().left + 1)`)
	const handle = `[document.querySelector(".now-line").getBoundingClientRect().left + 1, ` +
		`document.querySelector(".axis").getBoundingClientRect().bottom - 13]`
	at := browsertest.Eval[[]float64](p, handle)
	finger := func(kind input.DispatchTouchEventType, x float64) {
		params := input.DispatchTouchEventParams{Type: kind}
		if kind != input.DispatchTouchEventTypeTouchEnd {
			params.TouchPoints = []*input.TouchPoint{{X: x, Y: at[1]}}
		}
		p.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
			_, err := cdp.Call(ctx, tab, input.DispatchTouchEvent, params)
			return err
		}))
	}
	// A tap beside the middle of the handle does not move it, and a drag from there moves it as far as the finger.
	const away = `((slider) => Math.round(Math.abs(slider.value - window.began) / (slider.max - slider.min) * 100))(
		document.querySelector("input[type=range]"))`
	browsertest.Eval[any](p, `void (window.began = document.querySelector("input[type=range]").value)`)
	finger(input.DispatchTouchEventTypeTouchStart, at[0]+14)
	finger(input.DispatchTouchEventTypeTouchEnd, 0)
	finger(input.DispatchTouchEventTypeTouchStart, at[0]+14)
	p.Wait(away + ` === 0 && ` + line + ` === "now"`)
	width := browsertest.Eval[float64](p, `document.querySelector(".axis").getBoundingClientRect().width`)
	finger(input.DispatchTouchEventTypeTouchMove, at[0]+14+width/4)
	p.Wait(`Math.abs(` + away + ` - 25) < 2 && /^[-0-9]{10}$/.test(` + line + `)`) // a whole day
	finger(input.DispatchTouchEventTypeTouchMove, at[0]+14)
	p.Wait(away + ` === 0 && ` + line + ` === "now"`)
	finger(input.DispatchTouchEventTypeTouchEnd, 0)
	// A slow drag does not jump over a sunset that is near, although a browser ignores the first pixels.
	w.Must(t, Patch("/admin/operations/listPets", `{"deprecated": true, "sunset": "2026-07-20", "enforceSunset":true}`))
	for i, id := range []string{"createPet", "listOrders", "getOrder"} { // their dates need more than four lines
		w.Must(t, Patch("/admin/operations/"+id, fmt.Sprintf(
			`{"deprecated": true, "deprecatedSince": "2026-02-01", "sunset": "2026-%02d-01"}`, 9+i)))
	}
	p.WaitText(".lanes", "getOrder")
	p.Wait(`document.querySelector(".axis").innerText.includes("//")`) // the years before the sunset of getPet
	at = browsertest.Eval[[]float64](p, handle)
	finger(input.DispatchTouchEventTypeTouchStart, at[0])
	for x := range 50 {
		finger(input.DispatchTouchEventTypeTouchMove, at[0]+float64(x))
		if browsertest.Eval[string](p, line) == "2026-07-20" {
			break
		}
	}
	p.WaitText(".now", "2026-07-20")
	finger(input.DispatchTouchEventTypeTouchMove, at[0]+width)
	p.WaitText(".timeline [role=status]", "From 2026-07-20 listPets answers 410. From 2026-09-01 createPet is past its "+
		"sunset, and still answers: not enforced; then 3 more.")
	p.Wait(`(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(
		document.querySelector(".timeline [role=status]"))`)
	finger(input.DispatchTouchEventTypeTouchMove, at[0]+15) // the first pixels do not count
	p.WaitText(".now", "now")
	finger(input.DispatchTouchEventTypeTouchEnd, 0)
	if got := clock(t, w); got.Offset != 0 {
		t.Errorf("the clock is %+v", got)
	}
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
			return [...document.querySelectorAll(".tick, .now span")].filter((at) => {
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
	browsertest.Eval[any](p, `void document.querySelector("input[type=range]").focus()`)
	p.Press(browsertest.Enter)
	p.WaitText(".toasts", "It is 2031-")
	p.Wait(`document.querySelector(".now").textContent === "now"`)
	if now := browsertest.Eval[float64](p, handle); math.Abs(now-before) > 1 {
		t.Errorf("the handle was released at %g, and is at %g", before, now)
	}

	p.Press(browsertest.Tab)
	browsertest.Eval[any](p, `void document.querySelector("input[type=range]").focus()`)
	p.Wait(`document.activeElement.matches(":focus-visible") &&
		getComputedStyle(document.activeElement).outlineStyle === "none" &&
		parseFloat(getComputedStyle(document.querySelector(".axis"), "::after").width) < 40`)

	w.Must(t, Patch("/admin/operations/getPet",
		`{"deprecated": true, "deprecatedSince": "2030-01-01", "sunset": "2031-02-20"}`))
	p.WaitText(".lanes", "getPet")
	p.Wait(`[...document.querySelectorAll(".tick:not(:empty)")].every((tick, i, all) => i === 0 ||
		all[i - 1].getBoundingClientRect().right < tick.getBoundingClientRect().left)`)
}

// TestAxisReturnsToItsScale checks that the axis is as long as before after a visit to a distant year.
func TestAxisReturnsToItsScale(t *testing.T) {
	t.Parallel()
	p := show(t, newWorld(t), "/?view=time")
	const ticks = `[...document.querySelectorAll(".tick")].map((tick) => tick.textContent.trim()).join()`
	p.WaitText(".lane", "since 2026-01-01")
	usual := browsertest.Eval[string](p, ticks)
	p.Wait(`document.querySelectorAll(".tick:empty").length > 10`) // of the quarters
	for _, year := range []string{"0002", "9999"} {
		p.Fill("textbox", "Go to", year+"-01-01")
		p.Click("button", "Go")
		p.WaitText(".clock", year+"-01-01")
		p.Wait(ticks + ` !== "` + usual + `"`)
		if year == "0002" {
			p.WaitText(".timeline [role=status]", "Next: from 2026-01-01 getPet is deprecated. "+
				"From 2030-12-31 getPet is past its sunset, and still answers: not enforced.")
		}
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
	const top = `document.querySelector(".axis").getBoundingClientRect().top`
	before := browsertest.Eval[float64](p, top)
	for _, id := range []string{"listPets", "createPet", "listOrders", "createOrder", "listCategories", "deletePet"} {
		w.Must(t, Patch("/admin/operations/"+id, `{"enforceSunset": true}`))
	}
	p.Wait(`document.querySelectorAll(".lane [aria-checked=true]").length === 6`)
	if after := browsertest.Eval[float64](p, top); after != before {
		t.Errorf("enforcing moves the axis from %g to %g", before, after)
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
	p.Do(chromedp.MouseEvent(chromedp.MouseMoved, now+1, y, chromedp.ButtonLeft)) // back to where it began
	p.WaitText(".now", "now")
	p.Do(chromedp.MouseEvent(chromedp.MouseMoved, flag-3, y, chromedp.ButtonLeft))
	p.WaitText(".now", "2029-03-04")
	p.Do(chromedp.MouseEvent(chromedp.MouseReleased, flag-3, y, chromedp.ButtonLeft))
	p.WaitText(".toasts", "It is 2029-03-04 now: 6 operations answer 410.")
}
