package fault

import (
	"net/textproto"
	"slices"

	"example.com/petstore/handlers/sandbox/pattern"
)

// Match says which requests a rule is for: those that all of it fits. The zero
// Match fits every request.
type Match struct {
	OperationID string            `json:"operationId,omitzero"`
	Method      string            `json:"method,omitzero"`  // HEAD is another than GET
	Path        string            `json:"path,omitzero"`    // a pattern, see [pattern.Match]
	Headers     map[string]string `json:"headers,omitzero"` // each must be there with just the value
}

// Call is what a rule is matched with: a request, without its sandbox prefix.
type Call struct {
	OperationID, Method, Path string
	Header                    map[string][]string // by canonical names
}

// matcher is a Match made ready, so that matching allocates nothing.
type matcher struct {
	Match
	headers []headerMatch
}

type headerMatch struct{ name, value string }

func newMatcher(m *Match) matcher {
	if m == nil {
		return matcher{}
	}
	ready := matcher{Match: *m}
	for name, value := range m.Headers {
		ready.headers = append(ready.headers, headerMatch{textproto.CanonicalMIMEHeaderKey(name), value})
	}
	return ready
}

func (m *matcher) fits(c *Call) bool {
	if m.OperationID != "" && m.OperationID != c.OperationID ||
		m.Method != "" && m.Method != c.Method ||
		m.Path != "" && !pattern.Match(m.Path, c.Path) {
		return false
	}
	for _, h := range m.headers {
		if !slices.Contains(c.Header[h.name], h.value) {
			return false
		}
	}
	return true
}
