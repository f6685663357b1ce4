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
)

// onWire sends a request on a new connection. It returns the status, and the error if the
// response is incomplete.
func onWire(ctx context.Context, t *testing.T, w *world, method, path, body string) (status int, broken error) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	r, err := http.NewRequestWithContext(ctx, method, w.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
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
	if status, broken := onWire(t.Context(), t, w, "GET", "/pets", ""); status != 200 || !errors.Is(broken, io.ErrUnexpectedEOF) {
		t.Errorf("the answer is %d, %v, want half a 200", status, broken)
	}
}

func losesAnswers(t *testing.T, w *world) {
	t.Helper()
	if status, broken := onWire(t.Context(), t, w, "POST", "/pets", `{"name": "Lost", "categoryId": 1}`); status != 0 || broken == nil {
		t.Errorf("the answer is %d, want none", status)
	}
	w.Get(t, "/admin/data/pets?name=Lost").ExpectHeader(t, "X-Total-Count", "1")
}

// TestPresets presses each preset, and checks its effect on a client.
func TestPresets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=faults")
	presets := []struct {
		button, rule string
		effect       func(*testing.T, *world)
	}{
		{"Slow Every response waits 200 to 800 ms.", "every request waits 200 to 800 ms", slow},
		{"Slow 3G Half of the responses wait for over 2 s, one of a hundred for over 5 s.", "every request waits about 2000 ms, sometimes 5000 ms", slow},
		{"Flaky One of ten requests gets a 503.", "every request 10 % of the time responds 503", flaky},
		{"Down Every request gets a 503.", "every request responds 503", answers(503)},
		{"Cut off The connection breaks in the middle of the response.", "every request breaks off in the middle of the response", cutOff},
		{"Loses responses The write happens, and the connection breaks before its response.", "every request breaks the connection after the operation has run", losesAnswers},
	}
	p.Wait(fmt.Sprintf(`document.querySelectorAll(".preset").length === %d`, len(presets)))
	for _, preset := range presets {
		p.Click("button", preset.button)
		p.WaitText(".rules", preset.rule)
		preset.effect(t, w)
		if rules := faults(t, w); len(rules) != 1 || rules[0].Applied == 0 {
			t.Errorf("%s: the rules are %+v, want one that was applied", preset.button, rules)
		}
		p.Click("button", "Clear all faults")
		p.WaitText("main", "No faults")
		answers(200)(t, w)
	}
}
