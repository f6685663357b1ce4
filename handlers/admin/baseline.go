package admin

import (
	"fmt"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// maxFakes is the most records that one request can have made.
const maxFakes = 1_000_000

// baselineRequest asks for a baseline of fakes; what is left out stays as it is.
type baselineRequest struct {
	Seed       *uint64 `json:"seed"`
	Categories *int    `json:"categories"`
	Pets       *int    `json:"pets"`
	Orders     *int    `json:"orders"`
}

// readBaseline reads the optional body of a request. It is nil where there is no
// body.
func readBaseline(x *rest.Exchange) (*baselineRequest, error) {
	var r baselineRequest
	if present, err := x.DecodeOptional(&r); err != nil || !present {
		return nil, err
	}
	return &r, nil
}

// baseline makes the baseline that is asked for, with the rest as in another.
func (r *baselineRequest) baseline(now sandbox.Baseline) (sandbox.Baseline, error) {
	sizes := fixtures.DefaultSizes()
	if now.Sizes != nil {
		sizes = *now.Sizes
	}
	seed := now.Seed
	if r.Seed != nil {
		seed = *r.Seed
	}
	for _, part := range []struct{ size, asked *int }{
		{&sizes.Categories, r.Categories}, {&sizes.Pets, r.Pets}, {&sizes.Orders, r.Orders},
	} {
		if part.asked != nil {
			*part.size = *part.asked
		}
	}
	if largest := max(sizes.Categories, sizes.Pets, sizes.Orders); largest > maxFakes || sizes.Categories+sizes.Pets+sizes.Orders > maxFakes {
		return sandbox.Baseline{}, rest.Invalid("", fmt.Sprintf("asks for more than %d records; start the server with larger --pets, --categories and --orders for more", maxFakes))
	}
	if err := sizes.Check(); err != nil {
		return sandbox.Baseline{}, err
	}
	state, err := fixtures.Generate(seed, sizes, nil)
	if err != nil {
		return sandbox.Baseline{}, err
	}
	return sandbox.Baseline{State: state, Seed: seed, Sizes: &sizes}, nil
}
