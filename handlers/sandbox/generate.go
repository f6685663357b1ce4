package sandbox

import (
	"fmt"

	"example.com/petstore/fixtures"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// fakeBytes is the memory that a fake record may need.
const fakeBytes = 400

// Generate returns a baseline of fake data for one of the sandboxes, of no more records than
// every sandbox may hold. The error is a [store.TooLarge] one, a [fixtures.Problems] or
// [memory.ErrFull].
func (r *Registry) Generate(seed uint64, sizes fixtures.Sizes) (Baseline, error) {
	return r.options.generate(seed, sizes)
}

// maxRecords returns how many records a sandbox can hold that has the server's baseline.
func (o *Options) maxRecords() int { return o.Baseline.State.Records() + o.MaxRecords }

func (o *Options) generate(seed uint64, sizes fixtures.Sizes) (Baseline, error) {
	if most := o.maxRecords(); sizes.Exceed(most) {
		message := fmt.Sprintf("the sizes ask for more than %d records, the most that the sandbox can hold", most)
		return Baseline{}, &store.Error{Code: store.TooLarge, Problem: field.Problem{Message: message}}
	}
	if err := sizes.Check(); err != nil {
		return Baseline{}, err
	}
	bytes := fakeBytes * int64(sizes.Pets+sizes.Categories+sizes.Orders)
	if err := o.Memory.Reserve(bytes); err != nil {
		return Baseline{}, err
	}
	defer o.Memory.Release(bytes)
	state, err := fixtures.Generate(seed, sizes, nil)
	if err != nil {
		return Baseline{}, err
	}
	return Baseline{State: state, Seed: seed, Sizes: &sizes}, nil
}

// KnownBaseline returns the baseline of fakes that the server started with or the sandbox
// has, where it is that of the seed and sizes, and otherwise a new one as [Registry.Generate]
// does: what is the same is there once.
func (s *Sandbox) KnownBaseline(seed uint64, sizes fixtures.Sizes) (Baseline, error) {
	for _, known := range []Baseline{s.options.Baseline, s.Baseline()} {
		if known.Sizes != nil && known.Seed == seed && *known.Sizes == sizes {
			return known.clone(), nil
		}
	}
	return s.options.generate(seed, sizes)
}

// KnownState returns the data that the server started with, or the baseline of the sandbox,
// where it is the same as the state, and otherwise the state.
func (s *Sandbox) KnownState(state *store.State) *store.State {
	for _, known := range []*store.State{s.options.Baseline.State, s.Baseline().State} {
		if state.Same(known) {
			return known
		}
	}
	return state
}
