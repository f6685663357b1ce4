package fault

import "math/rand/v2"

// Draws are the random numbers of one request. They depend on the sandbox's seed
// and the request's number alone, so that a run can be replayed and two sandboxes
// of one seed draw alike. The zero Draws are those of no request and must not be
// drawn from.
type Draws struct {
	seed, number uint64
	rng          *rand.Rand // made at the first draw, since most requests draw none
}

// NewDraws returns the draws of the request of the number, counted from 1 since the
// sandbox was new.
func NewDraws(seed, number uint64) Draws { return Draws{seed: seed, number: number} }

// Number returns the number of the request; 0: they are those of no request.
func (d *Draws) Number() uint64 { return d.number }

// ForBrownout returns draws of the same request that are independent of d, so
// that a brown-out hits the same requests whatever faults have drawn before.
func (d *Draws) ForBrownout() Draws { return Draws{seed: ^d.seed, number: d.number} }

// Float64 returns the next number in [0, 1).
func (d *Draws) Float64() float64 { return d.source().Float64() }

// NormFloat64 returns the next number of the standard normal distribution.
func (d *Draws) NormFloat64() float64 { return d.source().NormFloat64() }

func (d *Draws) source() *rand.Rand {
	if d.rng == nil {
		d.rng = rand.New(rand.NewPCG(d.seed, d.number))
	}
	return d.rng
}
