package admin

import (
	"slices"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// baselineRequest describes a generated baseline. Missing fields keep their values.
type baselineRequest struct {
	seed                     *uint64
	categories, pets, orders *int

	// Only for makeSandbox.
	fresh   bool
	key     *string // "" removes the key
	private *bool
}

var baselineFields = field.Fields[baselineRequest]{
	field.Pointer("seed", func(r *baselineRequest) **uint64 { return &r.seed }, field.Unsigned),
	field.Pointer("categories", func(r *baselineRequest) **int { return &r.categories }, field.Int),
	field.Pointer("pets", func(r *baselineRequest) **int { return &r.pets }, field.Int),
	field.Pointer("orders", func(r *baselineRequest) **int { return &r.orders }, field.Int),
}

// sandboxFields are the fields of makeSandbox.
var sandboxFields = append(slices.Clone(baselineFields),
	field.Optional("fresh", func(r *baselineRequest) *bool { return &r.fresh }, field.Boolean, false),
	field.Pointer("key", func(r *baselineRequest) **string { return &r.key }, field.AnyText),
	field.Pointer("private", func(r *baselineRequest) **bool { return &r.private }, field.Boolean))

// checkKey validates the key of makeSandbox.
func (r *baselineRequest) checkKey() (problems field.Problems) {
	switch {
	case r.key == nil:
	case *r.key == "" && r.private != nil && *r.private:
		problems.Add("/key", "cannot be empty in a private sandbox, which nobody could use; leave it out, and one is made")
	case *r.key != "":
		if err := registry.CheckKey(*r.key); err != nil {
			problems.Add("/key", "%v", err)
		}
	}
	return problems
}

// sizesLeftOut reports whether the request has no field about the data.
func (r *baselineRequest) sizesLeftOut() bool {
	return r.seed == nil && r.pets == nil && r.categories == nil && r.orders == nil
}

// keepsData reports whether the request is only about a sandbox's key.
func (r *baselineRequest) keepsData() bool {
	return r.sizesLeftOut() && !r.fresh && (r.key != nil || r.private != nil)
}

// readBaseline reads the optional body of a request. It returns nil without a body.
func readBaseline(x *rest.Exchange) (*baselineRequest, error) {
	return rest.ReadOptional(x, baselineFields, nil)
}

// makeBaseline generates the requested baseline; missing fields are those of the current one. It
// has no more records than every sandbox of the server can hold. The error is a 400, 507 or 503.
func (s *Server) makeBaseline(x *rest.Exchange, r *baselineRequest, now sandbox.Baseline) (sandbox.Baseline, error) {
	if r.fresh && r.sizesLeftOut() {
		return now, nil // also for data from a file
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
