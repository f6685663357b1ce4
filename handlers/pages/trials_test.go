package pages_test

import (
	"testing"
	"time"

	"example.com/petstore/handlers/internal/browsertest"
)

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
	p.Choose("For", "listPets")
	p.Click("button", "Slow Every response waits 200 to 800 ms.")
	p.WaitText(".rules", "listPets waits 200 to 800 ms")
	p.WaitText(".chips", "1 fault")
	if rule := faults(t, w)[0]; rule.Match.OperationID != "listPets" || *rule.Delay.FixedMs != 200 || *rule.Delay.JitterMs != 600 {
		t.Errorf("the rule is %+v", rule)
	}

	p.Click("link", "Time")
	p.Fill("textbox", "Go to", "2031-01-01")
	p.Press(browsertest.Enter)
	p.WaitText(".chips", "2031-01-01")
	p.WaitText(".lanes", "past its sunset, still answers")
	if got := clock(t, w).Now.Format(time.DateOnly); got != "2031-01-01" {
		t.Errorf("it is %s", got)
	}
}
