package sandbox

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store"
)

// start is the machine's time when a test begins.
var start = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// machine is a machine's time that stands still until the test moves it.
type machine struct{ passed atomic.Int64 }

func (m *machine) now() time.Time       { return start.Add(time.Duration(m.passed.Load())) }
func (m *machine) pass(d time.Duration) { m.passed.Add(int64(d)) }

// testBaseline returns a baseline of its own with one category and that many pets.
func testBaseline(pets int) Baseline {
	state, err := store.Build(func(tx *store.Tx) error {
		if _, err := tx.CreateCategory(store.Category{Name: "Dogs"}); err != nil {
			return err
		}
		for i := range pets {
			if _, err := tx.CreatePet(store.Pet{Name: fmt.Sprint("pet ", i+1), CategoryID: 1, Status: store.Available}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return Baseline{State: state, Seed: 7}
}

// testOptions are what sandboxes start with in these tests.
func testOptions(m *machine) Options {
	return Options{
		Baseline: testBaseline(3),
		Machine:  m.now,
		Operations: []Operation{
			{ID: "listPets", Method: "GET", Path: "/pets"},
			{ID: "getPet", Method: "GET", Path: "/pets/{petId}", Lifecycle: Lifecycle{Deprecated: true, DeprecatedSince: start}},
		},
		Faults:    []fault.Rule{{Code: "of every sandbox"}},
		RateLimit: 1,
		Journal:   10,
	}
}

// loneSandbox is a sandbox that no registry has.
func loneSandbox(o Options) *Sandbox {
	template := NewTemplate(&o)
	sb := template.Fork(Name{"ada", "ada"})
	sb.SetTemplate(template)
	return sb
}

// newSandbox is one of the test's options.
func newSandbox() *Sandbox { return loneSandbox(testOptions(new(machine))) }

func wantErr(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
