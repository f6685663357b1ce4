package admin

import (
	"net/http"
	"slices"
	"strings"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// reset resets the sandbox or parts of it. The body can describe a new baseline.
func (s *Server) reset(x *rest.Exchange) error {
	request, err := readBaseline(x)
	if err != nil {
		return err
	}
	only, err := readParts(x)
	if err != nil {
		return err
	}
	if x.ByOwner && slices.Contains(only, sandbox.PartWebhooks) {
		return needsAdminKey("a reset of webhooks", "leave them out of ?only")
	}
	if request != nil && only != nil && !slices.Contains(only, sandbox.PartData) {
		return rest.BadParameter(field.Problem{Field: "only", Message: "does not include data, but the body asks for other data; add data, or send no body"})
	}
	if request != nil {
		if x.ByOwner {
			return needsAdminKey("a reset with other data", "send no body")
		}
		baseline, err := s.makeBaseline(x, request, x.Sandbox.Baseline())
		if err != nil {
			return err
		}
		if err := x.Sandbox.Rebase(baseline, only...); err != nil {
			return err
		}
	} else {
		x.Sandbox.Reset(only...)
	}
	return x.JSON(http.StatusOK, s.summary(x))
}

// needsAdminKey returns the 403 for a part of an operation that requires the admin key, although
// the rest of the operation also accepts the sandbox's key.
func needsAdminKey(what, instead string) error {
	return rest.Forbidden("the key of a sandbox does not open " + what + "; " + instead + ", or use the server's --admin-key")
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
