package sandbox

import (
	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Generate returns a baseline of fake data, which it checks against the limits of a sandbox. The
// error is a [store.TooLarge], a [store.FullBytes], a [fixtures.Problems] or [memory.ErrFull].
func (o *Options) Generate(seed uint64, sizes fixtures.Sizes) (Baseline, error) {
	// most is the number of records that a sandbox can have if its baseline is the origin.
	if most := o.Origin.State.Records() + o.MaxRecords; sizes.Total() > most {
		return Baseline{}, field.Refusal(store.TooLarge,
			"the sizes ask for more than %d records, the most that the sandbox can hold", most)
	}
	bytes := memory.Fake * int64(sizes.Total())
	if err := o.Memory.Reserve(bytes, 0); err != nil {
		return Baseline{}, err
	}
	defer o.Memory.Release(bytes)
	state, err := fixtures.Generate(seed, sizes, nil)
	if err != nil {
		return Baseline{}, err
	}
	if o.MaxBytes > 0 && state.Bytes() > o.MaxBytes {
		return Baseline{}, field.Refusal(store.FullBytes,
			"the data takes %d bytes, but the sandbox can hold at most %d", state.Bytes(), o.MaxBytes)
	}
	return Baseline{State: state, Seed: seed, Sizes: &sizes}, nil
}

// KnownBaseline returns the baseline generated from the seed and sizes. If the origin or the
// sandbox's baseline was generated from them, KnownBaseline returns that baseline, so that equal
// data is in memory only once. Otherwise it calls [Options.Generate].
func (s *Sandbox) KnownBaseline(seed uint64, sizes fixtures.Sizes) (Baseline, error) {
	for _, known := range []Baseline{s.options.Origin, s.Baseline()} {
		if known.Sizes != nil && known.Seed == seed && *known.Sizes == sizes {
			return known.Clone(), nil
		}
	}
	return s.options.Generate(seed, sizes)
}

// KnownState returns the state of the origin or of the sandbox's baseline, if that state equals the
// given one. Otherwise it returns the given state.
func (s *Sandbox) KnownState(state *store.State) *store.State {
	for _, known := range []*store.State{s.options.Origin.State, s.Baseline().State} {
		if state.Same(known) {
			return known
		}
	}
	return state
}
