package fault

import "math/rand/v2"

// Draws are the random numbers of one request. They depend only on the sandbox's seed and the
// request's number. So a run can be repeated, and sandboxes with the same seed have the same draws.
// The zero Draws belong to no request, and nothing must be drawn from them.
type Draws struct {
	Seed   uint64
	Number uint64     // the number of the request; the first request of a new sandbox has the number 1
	rng    *rand.Rand // created by the first draw, because most requests draw nothing
}

// ForBrownout returns other draws for the same request, which do not depend on how many numbers
// were drawn from d. So a brownout affects the same requests whatever the fault rules are.
func (d *Draws) ForBrownout() Draws { return Draws{Seed: ^d.Seed, Number: d.Number} }

// Rand returns the source of the numbers.
func (d *Draws) Rand() *rand.Rand {
	if d.rng == nil {
		d.rng = rand.New(rand.NewPCG(d.Seed, d.Number))
	}
	return d.rng
}
