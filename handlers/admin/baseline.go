package admin

import (
	"errors"
	"slices"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// baselineRequest asks for a baseline of fakes; what is left out stays as it is.
type baselineRequest struct {
	seed                     *uint64
	categories, pets, orders *int

	fresh bool // only of makeSandbox
}

var baselineFields = field.Fields[baselineRequest]{
	field.Pointer("seed", func(r *baselineRequest) **uint64 { return &r.seed }, field.Unsigned),
	field.Pointer("categories", func(r *baselineRequest) **int { return &r.categories }, field.Int),
	field.Pointer("pets", func(r *baselineRequest) **int { return &r.pets }, field.Int),
	field.Pointer("orders", func(r *baselineRequest) **int { return &r.orders }, field.Int),
}

// sandboxFields are those of a sandbox to make.
var sandboxFields = append(slices.Clone(baselineFields),
	field.Optional("fresh", func(r *baselineRequest) *bool { return &r.fresh }, field.Boolean, false))

// readBaseline reads the optional body of a request. It is nil where there is no
// body.
func readBaseline(x *rest.Exchange) (*baselineRequest, error) {
	return rest.ReadOptional(x, baselineFields, nil)
}

// makeBaseline makes the baseline that is asked for, with the rest as in another: of no
// more records than every sandbox of the server can hold. The error is a 400 or a 503.
func (s *Server) makeBaseline(x *rest.Exchange, r *baselineRequest, now sandbox.Baseline) (sandbox.Baseline, error) {
	if r.fresh && r.seed == nil && r.categories == nil && r.pets == nil && r.orders == nil {
		return now, nil // which may have come from a file
	}
	sizes := fixtures.DefaultSizes()
	if now.Sizes != nil {
		sizes = *now.Sizes
	}
	seed := now.Seed
	if r.seed != nil {
		seed = *r.seed
	}
	for _, part := range []struct{ size, asked *int }{
		{&sizes.Categories, r.categories}, {&sizes.Pets, r.pets}, {&sizes.Orders, r.orders},
	} {
		if part.asked != nil {
			*part.size = *part.asked
		}
	}
	baseline, err := s.Sandboxes.Generate(seed, sizes)
	if many, ok := errors.AsType[sandbox.TooManyFakes](err); ok {
		return baseline, rest.Invalid("", many.Error()+", or start the server with a larger --max-records")
	}
	return baseline, err
}
