package sandbox

import (
	"fmt"

	"example.com/petstore/fixtures"
)

// fakeBytes is the memory that a fake record may need.
const fakeBytes = 400

// TooManyFakes means that more fake records are asked for than a sandbox may have.
type TooManyFakes struct{ Most int }

// Error says how many it may have.
func (e TooManyFakes) Error() string {
	return fmt.Sprintf("asks for more than %d records; ask for fewer", e.Most)
}

// Generate returns a baseline of fake data for one of the sandboxes, of no more records than
// every sandbox may hold. The error is a [TooManyFakes], a [fixtures.Problems] or
// [memory.ErrFull].
func (r *Registry) Generate(seed uint64, sizes fixtures.Sizes) (Baseline, error) {
	if most := r.MaxRecords(); sizes.Exceed(most) {
		return Baseline{}, TooManyFakes{most}
	}
	if err := sizes.Check(); err != nil {
		return Baseline{}, err
	}
	bytes := fakeBytes * int64(sizes.Pets+sizes.Categories+sizes.Orders)
	if err := r.options.Memory.Reserve(bytes); err != nil {
		return Baseline{}, err
	}
	defer r.options.Memory.Release(bytes)
	state, err := fixtures.Generate(seed, sizes, nil)
	if err != nil {
		return Baseline{}, err
	}
	return Baseline{State: state, Seed: seed, Sizes: &sizes}, nil
}
