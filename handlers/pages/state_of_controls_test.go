package pages_test

import "testing"

// TestSunsetThatIsNotEnforced goes past a sunset that is not enforced, checks that the page reports
// that the operation still responds, and enforces the sunset there. Then it undoes that on the axis.
func TestSunsetThatIsNotEnforced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=time")
	p.Click("button", "The day after getPet's sunset")
	p.WaitText(".toasts", "getPet still answers: the sunset is not enforced.")
	p.In(".toasts").Click("button", "Enforce it")
	p.WaitText(".toasts", "getPet answers 410 from now on.")
	w.Get(t, "/pets/1").Expect(t, 410, "operation_sunset")
	p.Wait(`document.querySelector(".lane .switch").ariaChecked === "true"`)
	p.Click("switch", "Enforce the sunset of getPet")
	p.Wait(`document.querySelector(".lane .switch").ariaChecked === "false"`)
	w.Get(t, "/pets/1").Expect(t, 200, "")
}

// TestPresetShowsThatItIsOn checks that a preset shows its target and how often it was applied,
// and that pressing it again turns it off.
func TestPresetShowsThatItIsOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := show(t, w, "/?view=faults")
	p.WaitText("main", "No faults")
	p.Click("button", "Down Every request gets a 503.")
	p.WaitText(".presets .on", "Down On for every request · 0×")
	w.Get(t, "/pets")
	p.WaitText(".presets .on", "Down On for every request · 1×")
	p.See("button", "Throttle: Down")
	p.Wait(`document.activeElement.ariaLabel === "Stop Down"`)
	p.In(".presets .on").Click("button", "Stop Down")
	p.WaitText("main", "No faults")
	p.See("button", "Throttle: Normal")
	w.Must(t, request{Method: "PUT", Path: "/admin/faults", Body: `[{"probability": 0.1, "status": 503}, {"status": 503}]`})
	p.Click("button", "Throttle: Flaky, Down")
	p.Wait(`[...document.querySelectorAll("[role=menuitemradio][aria-checked=true]")].map((item) => item.innerText.split("\n")[0].trim()).join() === "Flaky,Down"`)
}
