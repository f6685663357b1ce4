package fault

import "math/rand/v2"

// Draws are the random numbers of one request. They depend only on the sandbox's seed and the
// request's number. So a run can be repeated, and sandboxes with the same seed have the same draws.
// The zero Draws belong to no request, so nothing may be drawn from them.
type Draws struct {
	Seed   uint64
	Number uint64     // counts the requests to which faults can apply, from 1
	rng    *rand.Rand // created by the first draw, because most requests draw nothing
}

// ForBrownout returns separate draws for the same request. They do not depend on how many numbers
// were drawn from d, so a brownout affects the same requests whatever the fault rules are.
func (d *Draws) ForBrownout() Draws { return Draws{Seed: ^d.Seed, Number: d.Number} }

// Rand returns the source of the numbers.
func (d *Draws) Rand() *rand.Rand {
	if d.rng == nil {
		d.rng = rand.New(rand.NewPCG(d.Seed, d.Number))
	}
	return d.rng
}
