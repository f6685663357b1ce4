package pages_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
)

// cutOffIn is an expression for the controls of an element whose text or box does not fit.
func cutOffIn(selector string) string {
	return `[...document.querySelectorAll("` + selector + ` :is(input, select, button)")].filter((e) => e.checkVisibility()).filter((e) => {
		const box = e.getBoundingClientRect()
		const ruler = document.createElement("canvas").getContext("2d")
		const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(e)
		ruler.font = fontSize + " " + fontFamily
		const room = e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
		return box.left < 0 || box.right > innerWidth || e.placeholder && ruler.measureText(e.placeholder).width > room
	}).map((e) => e.ariaLabel ?? e.innerText).join()`
}

// TestFiltersFit checks that every filter is fully visible in wide and narrow windows. A narrow
// window shows the filters on request.
func TestFiltersFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, request{Method: "GET", Path: "/pets", Header: http.Header{"X-Client": {strings.Repeat("client ", 20)}}})
	p := show(t, w, "/")
	for _, view := range []string{"requests", "data", "sandboxes"} {
		p.Resize(1280, 800)
		p.Open(w.URL + "/?view=" + view)
		p.Wait(`document.querySelector(".filters input")`)
		p.Wait(`document.querySelector("main tr, main .request")`)
		for _, wide := range []int64{1280, 1024, 390} {
			p.Resize(wide, 800)
			if cut := browsertest.Eval[string](p, cutOffIn(".filters")); cut != "" {
				t.Errorf("in %s, %d pixels wide, what is cut off: %s", view, wide, cut)
			}
		}
		if view == "sandboxes" {
			continue
		}
		p.Click("button", "Filters")
		p.Wait(`[...document.querySelectorAll(".filters > *:not(.grow)")].every((e) => e.checkVisibility())`)
		if cut := browsertest.Eval[string](p, cutOffIn(".filters")); cut != "" {
			t.Errorf("in %s, narrow and open, what is cut off: %s", view, cut)
		}
	}
	p.Open(w.URL + "/?class=4xx&op=listPets")
	p.See("button", "Filters (2)")
}

// TestLongCallers checks that a client with a long name occupies a single line.
func TestLongCallers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("Mozilla", 120)
	for _, name := range []string{"User-Agent", "X-Client"} {
		w.Do(t, request{Method: "GET", Path: "/pets/1", Header: http.Header{name: {long}}})
	}
	p := show(t, w, "/?view=time")
	p.WaitText(".lane", "MozillaMozillaMozillaMo…")
	p.Wait(`document.querySelectorAll("[aria-labelledby=report] tbody tr").length === 2`)
	for _, selector := range []string{".lane", "[aria-labelledby=report] tbody tr"} {
		if high := browsertest.Eval[float64](p, `Math.max(...[...document.querySelectorAll("`+selector+`")].map((e) => e.getBoundingClientRect().height))`); high > 60 {
			t.Errorf("%s is %v pixels high", selector, high)
		}
	}
}
