package admin

import (
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

	// Only of makeSandbox.
	fresh   bool
	key     *string // "": none
	private *bool
}

var baselineFields = field.Fields[baselineRequest]{
	field.Pointer("seed", func(r *baselineRequest) **uint64 { return &r.seed }, field.Unsigned),
	field.Pointer("categories", func(r *baselineRequest) **int { return &r.categories }, field.Int),
	field.Pointer("pets", func(r *baselineRequest) **int { return &r.pets }, field.Int),
	field.Pointer("orders", func(r *baselineRequest) **int { return &r.orders }, field.Int),
}

// sandboxFields are those of a sandbox to make.
var sandboxFields = append(slices.Clone(baselineFields),
	field.Optional("fresh", func(r *baselineRequest) *bool { return &r.fresh }, field.Boolean, false),
	field.Pointer("key", func(r *baselineRequest) **string { return &r.key }, field.AnyText),
	field.Pointer("private", func(r *baselineRequest) **bool { return &r.private }, field.Boolean))

// checkKey returns what is wrong with the key of a sandbox to make.
func (r *baselineRequest) checkKey() (problems field.Problems) {
	switch {
	case r.key == nil:
	case *r.key == "" && r.private != nil && *r.private:
		problems.Add("/key", "cannot be empty in a private sandbox, which nobody could use; leave it out, and one is made")
	case *r.key != "":
		if err := sandbox.CheckKey(*r.key); err != nil {
			problems.Add("/key", "%v", err)
		}
	}
	return problems
}

// sizesLeftOut reports whether the request says nothing of the data.
func (r *baselineRequest) sizesLeftOut() bool {
	return r.seed == nil && r.pets == nil && r.categories == nil && r.orders == nil
}

// keepsData reports whether the request is about the key of a sandbox alone.
func (r *baselineRequest) keepsData() bool {
	return r.sizesLeftOut() && !r.fresh && (r.key != nil || r.private != nil)
}

// readBaseline reads the optional body of a request. It is nil where there is no
// body.
func readBaseline(x *rest.Exchange) (*baselineRequest, error) {
	return rest.ReadOptional(x, baselineFields, nil)
}

// makeBaseline makes the baseline that is asked for, with the rest as in another: of no
// more records than every sandbox of the server can hold. The error is a 400, a 507 or a
// 503.
func (s *Server) makeBaseline(x *rest.Exchange, r *baselineRequest, now sandbox.Baseline) (sandbox.Baseline, error) {
	if r.fresh && r.sizesLeftOut() {
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
	type asked struct {
		seed  uint64
		sizes fixtures.Sizes
	}
	return rest.Shared(x, asked{seed, sizes}, func() (sandbox.Baseline, error) { return s.Sandboxes.Generate(seed, sizes) })
}
