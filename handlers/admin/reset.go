package admin

import (
	"slices"
	"strings"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// reset resets the sandbox or parts of it. The body can describe a new baseline.
func (s *Server) reset(x *rest.Exchange) (rest.Step, error) {
	request, err := rest.ReadOptional(x, baselineFields, nil)
	if err != nil {
		return nil, err
	}
	only, err := readParts(x)
	switch {
	case err != nil:
		return nil, err
	case x.ByOwner && slices.Contains(only, sandbox.PartWebhooks):
		return nil, needsAdminKey("a reset of webhooks", "leave them out of ?only")
	case request != nil && only != nil && !slices.Contains(only, sandbox.PartData):
		return nil, rest.BadParameter("only",
			"does not include data, but the body asks for other data; add data, or send no body")
	case request != nil && x.ByOwner:
		return nil, needsAdminKey("a reset with other data", "send no body")
	}
	return func(sb *registry.Entry) (rest.Handler, error) {
		if request == nil {
			sb.Reset(only...)
			return s.get, nil
		}
		baseline, err := s.makeBaseline(request, sb.Baseline())
		if err != nil {
			return nil, err
		}
		return s.get, sb.Rebase(baseline, only...)
	}, nil
}

// needsAdminKey returns the 403 for a part of an operation that requires the admin key, although
// the rest of the operation also accepts the sandbox's key.
func needsAdminKey(what, instead string) error {
	return rest.Forbidden("the key of a sandbox does not open " + what + "; " + instead +
		", or use the server's --admin-key")
}

// readParts returns the parts of the sandbox that the query lists, or nil if the query lists none.
func readParts(x *rest.Exchange) ([]sandbox.Part, error) {
	q := x.ReadQuery()
	var parts []sandbox.Part
	if text := q.Text("only"); text != "" {
		for name := range strings.SplitSeq(text, ",") {
			part := sandbox.Part(strings.TrimSpace(name))
			if !slices.Contains(sandbox.Parts(), part) {
				q.Refuse("only", field.MustBeOneOf(sandbox.Parts(), string(part)))
			}
			parts = append(parts, part)
		}
	}
	return parts, q.Err()
}

// baselineRequest is the body of a request for a generated baseline. makeBaseline documents the
// defaults of missing fields.
type baselineRequest struct {
	seed  *uint64
	sizes askedSizes

	// These fields are only for makeSandbox.
	fresh   bool
	key     *string // "" removes the key and the privacy
	private *bool

	generated []generated // the results so far, so that sandboxes with equal seeds and sizes share one baseline
}

// generated is a result of [sandbox.Options.Generate].
type generated struct {
	seed     uint64
	sizes    fixtures.Sizes
	baseline sandbox.Baseline
	err      error
}

// askedSizes are the sizes of a request, in the order of [fixtures.SizeTable]. Nil means that a
// size is missing.
type askedSizes [len(fixtures.SizeTable)]*int

var baselineFields = func() field.Fields[baselineRequest] {
	fields := field.Fields[baselineRequest]{field.Pointer("seed", func(r *baselineRequest) **uint64 { return &r.seed },
		field.Unsigned)}
	for i, size := range fixtures.SizeTable {
		fields = append(fields,
			field.Pointer(size.Name, func(r *baselineRequest) **int { return &r.sizes[i] }, field.Int))
	}
	return fields
}()

// sandboxFields are the fields of a request to make a sandbox.
var sandboxFields = append(slices.Clone(baselineFields),
	field.Optional("fresh", func(r *baselineRequest) *bool { return &r.fresh }, field.Boolean, false),
	field.Pointer("key", func(r *baselineRequest) **string { return &r.key }, field.AnyText),
	field.Pointer("private", func(r *baselineRequest) **bool { return &r.private }, field.Boolean))

func (r *baselineRequest) checkKey() (problems field.Problems) {
	switch {
	case r.key == nil:
	case *r.key == "" && r.private != nil && *r.private:
		problems.Add("/key",
			"cannot be empty in a private sandbox, which nobody could use; leave it out, and one is made")
	case *r.key != "":
		if err := registry.CheckKey(*r.key); err != nil {
			problems.Add("/key", "%v", err)
		}
	}
	return problems
}

// sizesLeftOut reports whether the request has no field that describes the data.
func (r *baselineRequest) sizesLeftOut() bool {
	return r.seed == nil && r.sizes == askedSizes{}
}

// makeBaseline generates the requested baseline. Missing fields have the values of the current
// baseline. If the current baseline was not generated, missing sizes have the defaults. The error
// is a 400 if the sizes are invalid, a 507 if the baseline is too large for a sandbox, or a 503 if
// the server has too little memory.
func (s *Server) makeBaseline(r *baselineRequest, current sandbox.Baseline) (sandbox.Baseline, error) {
	if r.fresh && r.sizesLeftOut() {
		return current, nil // reuse the current baseline, which may contain data from a file
	}
	sizes := fixtures.DefaultSizes()
	if current.Sizes != nil {
		sizes = *current.Sizes
	}
	seed := current.Seed
	if r.seed != nil {
		seed = *r.seed
	}
	for i, size := range fixtures.SizeTable {
		if asked := r.sizes[i]; asked != nil {
			*size.Of(&sizes) = *asked
		}
	}
	for _, g := range r.generated {
		if g.seed == seed && g.sizes == sizes {
			return g.baseline, g.err
		}
	}
	baseline, err := s.Sandboxes.Options.Generate(seed, sizes)
	r.generated = append(r.generated, generated{seed, sizes, baseline, err})
	return baseline, err
}
