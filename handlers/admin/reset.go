package admin

import (
	"slices"
	"strings"

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
