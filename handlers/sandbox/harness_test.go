package sandbox

import (
	"sync/atomic"
	"time"

	"example.com/petstore/fixtures"
)

// start is the machine's time when a test begins.
var start = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// machine is a machine's time that stands still until the test moves it.
type machine struct{ passed atomic.Int64 }

func (m *machine) now() time.Time       { return start.Add(time.Duration(m.passed.Load())) }
func (m *machine) pass(d time.Duration) { m.passed.Add(int64(d)) }

// testBaseline returns a baseline of fake data with one category and the given number of pets.
func testBaseline(pets int) Baseline {
	state, err := fixtures.Generate(7, fixtures.Sizes{Pets: pets, Categories: 1}, nil)
	if err != nil {
		panic(err)
	}
	return Baseline{State: state, Seed: 7}
}

// loneSandbox returns a sandbox without a registry.
func loneSandbox(o Options) *Sandbox {
	template := NewOrigin(&o)
	sb := template.Fork(Name{"ada", "ada"})
	sb.SetTemplate(template)
	return sb
}
