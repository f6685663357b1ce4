package pages_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestChipsShowTheirTexts checks that three chips show their words at every width, inside the window and without
// overlaps, that no chip and no preset is cut, that the clock stays frozen, that the chips do not move the views, that
// the preset does not count as a fault, and that a phone marks the views instead.
func TestChipsShowTheirTexts(t *testing.T) {
	t.Parallel()
	w := busy(t)
	p := show(t, w, "/")
	p.Allow(`status of 4\d\d`)
	p.Resize(1280, 700)
	const views = `document.querySelector(".views").getBoundingClientRect().x`
	p.WaitText(".chips", "1 fault")
	before := browsertest.Eval[float64](p, views)
	w.Must(t, Patch("/admin/operations/createOrder", `{"deprecated": true}`))
	p.WaitText(".chips", "1 operation 1 fault")
	p.Press(browsertest.Tab)                                      // so that a ring shows where the focus is
	for _, control := range []string{".chip", ".picker button"} { // the ring is inside of it: nothing cuts it
		p.Wait(`(document.querySelector("` + control + `").focus(), (({outlineStyle, outlineOffset, outlineWidth}) =>
			outlineStyle === "solid" && parseFloat(outlineOffset) + parseFloat(outlineWidth) <= 0)(
			getComputedStyle(document.activeElement)))`)
	}
	if after := browsertest.Eval[float64](p, views); after != before {
		t.Errorf("the views move from %g to %g", before, after)
	}
	p.WaitText(".throttle", "Normal")
	resize := func(width int64) { // and wait until the chips fit
		p.Resize(width, 700)
		browsertest.Eval[any](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`)
	}
	for _, width := range []int64{1440, 1280, 1241, 1240, 1181, 1180, 1131, 1130, 961, 960, 901, 900, 701, 700, 641} {
		resize(width)
		if text := strings.Join(
			strings.Fields(browsertest.Eval[string](p,
				`document.querySelector(".chips").innerText`)), " "); !strings.HasPrefix(text, "2031-01-01 ") ||
			!strings.HasSuffix(text, " 1 fault") || width > 641 && !strings.Contains(text, " 1 operation ") {
			t.Errorf("%d pixels wide, the chips say %q", width, text)
		}
		if over := browsertest.Eval[[]string](p, `(() => {
			const boxes = [...document.querySelectorAll(".chip, .bar > :not(.chips, .views)")].map((e) => [e.className, e.getBoundingClientRect()]).filter(([, {width}]) => width)
			return boxes.flatMap(([name, a], i) => [
				...(a.left < 0 || a.right > innerWidth ? [name + " is outside"] : []),
				...boxes.slice(i + 1).filter(([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).map(([other]) => name + " is over " + other),
			])
		})()`); len(over) > 0 {
			t.Errorf("%d pixels wide: %q", width, over)
		}
	}
	w.Must(t, Post("/admin/faults", `{"abort": "reset", "when": "after"}`))
	p.Wait(`document.querySelector(".throttle.on")?.title === "Throttle: Loses responses" &&
		document.querySelector(".of-faults").title === "1 more fault on"`)
	for _, width := range []int64{1280, 1241, 1240, 1181, 1180, 1131} {
		resize(width)
		if cut := browsertest.Eval[[]float64](p, `((chips, preset) => [
			document.querySelector(".of-faults").getBoundingClientRect().right - chips.getBoundingClientRect().right,
			preset.scrollWidth - preset.clientWidth,
		])(document.querySelector(".chips"), document.querySelector(".throttle span"))`); cut[0] > 0 || cut[1] > 0 {
			t.Errorf("%d pixels wide, these pixels of the last chip and of the preset are cut: %g", width, cut)
		}
	}
	p.Resize(768, 700)
	p.WaitText(".throttle", "Loses responses")
	p.Resize(375, 700)
	p.See("link", "Time 2031-01-01 frozen 1 operation changed")
	p.See("link", "Faults 1 more fault")
	p.Wait(`!document.querySelector(".chips").offsetHeight && ` +
		`[...document.querySelectorAll(".views small")].map((e) => e.offsetWidth > 8).join() === "true,false,true"`)
	p.Wait(`document.querySelector(".views small.of-pause").title === "2031-01-01 frozen"`) // not like a clock that runs
}

// TestHeaderShowsNameOfSandbox checks that a long name has the room that nothing else needs, that the
// chips do not give way to it, and that a command with it stays in its box.
func TestHeaderShowsNameOfSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const name = "/sandboxes/qa-nightly-of-the-checkout"
	w.Must(t, Put("/admin"+name, ""))
	p := show(t, w, name+"/")
	letters := func(width int64) float64 {
		p.Resize(width, 700)
		return browsertest.Eval[float64](p, `((name) => {
			const { paddingLeft, paddingRight, font } = getComputedStyle(name)
			const ruler = document.createElement("canvas").getContext("2d")
			ruler.font = font
			const room = name.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
			return room / ruler.measureText("m").width
		})(document.querySelector(".combobox input"))`)
	}
	for width, least := range map[int64]float64{1440: 21, 1280: 21, 768: 25, 375: 14} {
		if got := letters(width); got < least {
			t.Errorf("%d pixels wide, the name has room for %g letters, want %g", width, got, least)
		}
	}
	p.Resize(375, 700)
	p.Wait(`document.querySelector(".curl-line pre")`)
	if cut := browsertest.Eval[[]float64](p, `((box, text) => [box.left - text.left, text.right - box.right])(
		...[".curl-line", ".curl-line pre"].map((one) => document.querySelector(one).getBoundingClientRect()))`); cut[0] > 0 ||
		cut[1] > 0 {
		t.Errorf("the command is wider than its box, by %g pixels", cut)
	}
	w.Must(t, Put(name+"/admin/clock", `{"now": "2031-01-01T00:00:00Z", "frozen": true}`))
	w.Must(t, Patch(name+"/admin/operations/createOrder", `{"deprecated": true}`))
	w.Must(t, Post(name+"/admin/faults", `{"match": {"operationId": "createPet"}, "status": 500}`))
	w.Must(t, Post(name+"/admin/faults", `{"when": "after", "abort": "reset"}`))
	p.Wait(`document.querySelector(".of-faults")`)
	p.Wait(`document.querySelector(".throttle").title === "Throttle: Loses responses"`)
	for _, width := range []int64{1440, 1280, 1181, 1131, 768} {
		if got := letters(width); got < 6 {
			t.Errorf("%d pixels wide, the name has room for %g letters beside chips", width, got)
		}
		p.Wait(`((preset) => preset.scrollWidth <= preset.clientWidth)(document.querySelector(".throttle span"))`)
		p.Wait(`((chips) => chips.scrollWidth <= chips.clientWidth)(document.querySelector(".chips"))`)
	}
}

// TestHeaderFitsTouch checks that on a touch screen no combination of chips and presets cuts the name of the sandbox or
// moves a button outside, and that a preset looks as high as a chip.
func TestHeaderFitsTouch(t *testing.T) {
	t.Parallel()
	w := busy(t)
	p := show(t, w, "/")
	t.Cleanup(func() { touch(p, false) })
	w.Must(t, Post("/admin/faults", `{"abort": "reset", "when": "after"}`))
	fits := func(width int64) {
		t.Helper()
		p.Resize(width, 700)
		touch(p, true)
		p.Open(w.URL + "/")
		p.Wait(`document.querySelector(".throttle.on")?.title === "Throttle: Loses responses"`)
		p.Wait(`((name, bar) => name.scrollWidth <= name.clientWidth && bar.scrollWidth <= bar.clientWidth)(
			document.querySelector(".combobox input"), document.querySelector(".bar"))`)
	}
	fits(768)
	p.WaitText(".throttle", "Loses responses")
	w.Must(t, Patch("/admin/operations/createOrder", `{"deprecated": true}`))
	fits(768)
	fits(661)
	p.Wait(`document.querySelector(".chip").offsetHeight ===
		parseFloat(getComputedStyle(document.querySelector(".throttle"), "::before").height)`)
}

// touch makes the screen of the page one for fingers, or not.
func touch(p *page, enabled bool) {
	p.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: enabled})
		return err
	}))
}

// TestTargetsOfFingers checks that controls are at least 44 pixels high on a touch screen.
func TestTargetsOfFingers(t *testing.T) {
	t.Parallel()
	w := busy(t)
	p := show(t, w, "/")
	t.Cleanup(func() { touch(p, false) })
	for _, test := range []struct {
		width          int64
		view, controls string
	}{
		{375, "time", ".axis input, .switch, td button"},
		{375, "data", "th button, .picking label"},
		{768, "data", "th button, .picking label, td a"},
		{768, "time", ".chip"},
	} {
		p.Resize(test.width, 800)
		touch(p, true)
		p.Open(w.URL + "/?view=" + test.view)
		for selector := range strings.SplitSeq(test.controls, ", ") {
			p.Wait(`document.querySelector("` + selector + `")`)
			if high := browsertest.Eval[float64](p, `Math.min(...[...document.querySelectorAll("`+selector+`")].map((e) =>
				Math.max(e.offsetHeight, parseFloat(getComputedStyle(e, "::after").height) || 0)))`); high < 44 {
				t.Errorf("%s of %s is %g pixels high, %d pixels wide", selector, test.view, high, test.width)
			}
		}
		p.Screenshot(fmt.Sprint("touch-", test.view, "-", test.width))
	}
}
