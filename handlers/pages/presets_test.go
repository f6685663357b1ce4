package pages_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// onWire sends a request on a new connection. It returns the status, and the error if the
// response is incomplete.
func onWire(ctx context.Context, t *testing.T, w *world, method, path, body string) (status int, broken error) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	r := must.Get(http.NewRequestWithContext(ctx, method, w.URL+path, strings.NewReader(body)))(t)
	r.Header.Set("Content-Type", "application/json")
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, broken = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, broken
}

// slow checks that no response arrives within 100 ms. Without a fault, one would arrive in time.
func slow(t *testing.T, w *world) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if status, broken := onWire(ctx, t, w, "GET", "/pets", ""); !errors.Is(broken, context.DeadlineExceeded) {
		t.Errorf("the answer is %d, %v, at once", status, broken)
	}
}

func answers(want int) func(*testing.T, *world) {
	return func(t *testing.T, w *world) {
		t.Helper()
		if status, broken := onWire(t.Context(), t, w, "GET", "/pets", ""); status != want || broken != nil {
			t.Errorf("the answer is %d, %v, want %d", status, broken, want)
		}
	}
}

// flaky checks that some requests succeed and some fail. The seed determines which.
func flaky(t *testing.T, w *world) {
	t.Helper()
	seen := make(map[int]int)
	for range 100 {
		status, _ := onWire(t.Context(), t, w, "GET", "/pets?limit=1", "")
		seen[status]++
	}
	if seen[200]+seen[503] != 100 || seen[503] < 2 || seen[503] > 30 {
		t.Errorf("of a hundred answers, by status: %v", seen)
	}
}

func cutOff(t *testing.T, w *world) {
	t.Helper()
	if status, broken := onWire(t.Context(), t, w, "GET", "/pets", ""); status != 200 ||
		!errors.Is(broken, io.ErrUnexpectedEOF) {
		t.Errorf("the answer is %d, %v, want half a 200", status, broken)
	}
}

func losesAnswers(t *testing.T, w *world) {
	t.Helper()
	if status, broken := onWire(t.Context(), t, w, "POST", "/pets", `{"name": "Lost", "categoryId": 1}`); status != 0 ||
		broken == nil {
		t.Errorf("the answer is %d, want none", status)
	}
	w.Get(t, "/admin/data/pets?name=Lost").ExpectHeader(t, "X-Total-Count", "1")
}

// TestPresets presses each preset, and checks its effect on a client.
func TestPresets(t *testing.T) {
	t.Parallel()
	w, p := newPage(t, "/?view=faults")
	presets := []struct {
		button, rule string
		effect       func(*testing.T, *world)
	}{
		{"Slow Waits 200 to 800 ms", "every request waits 200 to 800 ms", slow},
		{"Slow 3G Waits about 2 s, 1 in 100 over 5 s",
			"every request waits about 2000 ms, 1 in 100 over 5000 ms", slow},
		{"Flaky 1 in 10 gets a 503", "every request responds 503, 10 % of the time", flaky},
		{"Down Responds 503", "every request responds 503", answers(503)},
		{"Cut off Breaks off in the middle", "every request breaks off in the middle of the response",
			cutOff},
		{"Loses responses Writes, but sends no response",
			"every request breaks the connection after the operation has run", losesAnswers},
	}
	p.Wait(fmt.Sprintf(`document.querySelectorAll(".preset").length === %d`, len(presets)))
	for _, preset := range presets {
		p.Click("button", preset.button)
		p.WaitText(".rules", preset.rule)
		p.Wait(`document.querySelector(".preset.on strong").getBoundingClientRect().top - document.querySelector(".preset.on").getBoundingClientRect().top > 8`)
		preset.effect(t, w)
		if rules := faults(t, w); len(rules) != 1 || rules[0].Applied == 0 {
			t.Errorf("%s: the rules are %+v, want one that was applied", preset.button, rules)
		}
		p.Click("button", "Clear all faults")
		p.WaitText(".toasts", "Cleared all faults.") // the list is empty before the server has responded
		answers(200)(t, w)
	}
}

// TestTrials performs the tasks of a first-time user, from the first view and in few steps:
// find out why a POST failed, make the list slow, show an app on another day.
func TestTrials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create(t, w, "")
	p := show(t, w, "/")
	p.WaitText(".request", "400 POST /pets") // without a step
	p.WaitText(".request", "name: must be 1 to 255 characters long, not 0")

	p.Click("link", "Faults")
	p.Choose("Turn on for", "listPets · GET /pets")
	p.Click("button", "Slow Waits 200 to 800 ms")
	p.WaitText(".rules", "listPets GET /pets waits 200 to 800 ms")
	p.WaitText(".chips", "1 fault")
	if rule := faults(t, w)[0]; rule.Match.OperationID != "listPets" || *rule.Delay.FixedMs != 200 ||
		*rule.Delay.JitterMs != 600 {
		t.Errorf("the rule is %+v", rule)
	}

	p.Click("link", "Time")
	p.Fill("textbox", "Go to", "2031-01-01")
	p.Press(browsertest.Enter)
	p.WaitText(".chips", "2031-01-01")
	p.WaitText(".lanes", "still answers")
	if got := clock(t, w).Now.Format(time.DateOnly); got != "2031-01-01" {
		t.Errorf("it is %s", got)
	}
}

// cutOffIn is an expression for the controls of an element whose text or box does not fit.
func cutOffIn(selector string) string {
	return `[...document.querySelectorAll("` + selector +
		` :is(input, select, button)")].filter((e) => e.checkVisibility()).filter((e) => {
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
	w.Do(t, Get("/pets").With("X-Client", strings.Repeat("client ", 20)))
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
		p.Click("button", "More")
		p.See("button", "Less")
		p.Wait(`[...document.querySelectorAll(".filters > *:not(.grow, .acts, .filters-end, .call, [popover]), " +
			":is(.acts, .filters-end) > :not(.call, [popover])")].every((e) => e.checkVisibility())`)
		if cut := browsertest.Eval[string](p, cutOffIn(".filters")); cut != "" {
			t.Errorf("in %s, narrow and open, what is cut off: %s", view, cut)
		}
	}
	p.Open(w.URL + "/?view=data&status=sold")
	p.Click("button", "More (1)")
	p.See("button", "Less")
	p.Resize(375, 800)
	p.Open(w.URL + "/?class=4xx&op=listPets")
	p.Click("button", "More")
	p.See("button", "Filter (2)")
	p.Wait(`new Set([...document.querySelectorAll(".filters-end button")].filter((e) => e.checkVisibility())
		.map((e) => e.getBoundingClientRect().bottom)).size === 1`) // one row, below that of Filter
}

// TestLongCallers checks that a client with a long name occupies a single line.
func TestLongCallers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	long := strings.Repeat("Mozilla", 120)
	for _, name := range []string{"User-Agent", "X-Client"} {
		w.Do(t, Get("/pets/1").With(name, long))
	}
	p := show(t, w, "/?view=time")
	p.WaitText(".breaks", "MozillaMozillaMozillaMo…")
	p.Wait(`document.querySelectorAll("[aria-labelledby=report] tbody tr").length === 1`) // of one name
	for _, selector := range []string{".breaks", "[aria-labelledby=report] tbody tr"} {
		if high := browsertest.Eval[float64](p,
			`Math.max(...[...document.querySelectorAll("`+selector+`")].map((e) => e.getBoundingClientRect().height))`); high > 60 {
			t.Errorf("%s is %v pixels high", selector, high)
		}
	}
}

// TestEffectsStandInLine checks that effects and reasons begin in one column and end in one line, and that a narrow
// window shows them.
func TestEffectsStandInLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(t, Patch("/pets/1", `{"status": "sold"}`))
	w.Must(t, Patch("/pets/2", `{"status": "sold"}`))
	w.Must(t, Get("/store/orders?limit=10&offset=30"))
	w.Do(t, Get("/pets/findByStatus?status=available"))
	p := show(t, w, "/")
	p.Wait(`document.querySelectorAll(".request").length === 4`)
	p.Wait(`new Set([...document.querySelectorAll(".reason")].map((e) => e.getBoundingClientRect().left)).size === 1`)
	p.Resize(768, 800)
	p.Wait(`new Set([...document.querySelectorAll(".request")].map((row) => row.offsetHeight)).size === 1`)
	p.Resize(375, 800)
	p.WaitText(".request:last-child", "PATCH /pets/1")
	p.WaitText(".request:last-child", "set status of pet 1")
	w.Do(t, Get("/pets/999").With("User-Agent", "com.example.warehouse.sync-agent.production/14.2"))
	p.Wait(`document.querySelector(".request.is-4xx .client")?.offsetWidth > 40`) // who was refused
	p.Wait(`[".what", ".reason"].every((part) => { // are not cut
		const { scrollWidth, clientWidth } = document.querySelector(".request.is-4xx " + part)
		return clientWidth > 40 && scrollWidth <= clientWidth
	})`)
}

// TestMoreFades checks that a row that can be scrolled fades at its end until it is scrolled there, and shows the
// chosen option.
func TestMoreFades(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=data")
	p.WaitText(".tables", "Messages")
	const fade = `getComputedStyle(document.querySelector(".tables")).maskImage`
	p.Wait(fade + ` === "none"`)
	p.Resize(375, 800)
	p.Wait(fade + ` !== "none"`)
	browsertest.Eval[any](p, `void document.querySelector(".tables").scrollTo(999, 0)`)
	p.Wait(fade + ` === "none"`)
	p.Open(w.URL + "/?view=data&table=messages")
	p.Wait(`document.querySelector(".tables [aria-current]")?.getBoundingClientRect().right < innerWidth`)
}
