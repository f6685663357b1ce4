package fault

import (
	"net/textproto"
	"slices"

	"example.com/petstore/handlers/sandbox/pattern"
)

// Match selects the requests that match all of its fields. The zero Match matches every request.
type Match struct {
	OperationID string            `json:"operationId,omitzero"`
	Method      string            `json:"method,omitzero"`  // GET does not match HEAD
	Path        string            `json:"path,omitzero"`    // a pattern for [pattern.Match]
	Headers     map[string]string `json:"headers,omitzero"` // each must be present with exactly this value
}

// Call is the part of a request that rules match. Path does not include the sandbox prefix.
type Call struct {
	OperationID, Method, Path string
	Header                    map[string][]string // the keys are canonical names
}

// matcher is a Match with canonical header names, so that matching allocates nothing.
type matcher struct {
	Match
	headers []headerMatch
}

type headerMatch struct{ name, value string }

func newMatcher(m *Match) matcher {
	if m == nil {
		return matcher{}
	}
	prepared := matcher{Match: *m}
	for name, value := range m.Headers {
		prepared.headers = append(prepared.headers, headerMatch{textproto.CanonicalMIMEHeaderKey(name), value})
	}
	return prepared
}

func (m *matcher) matches(c *Call) bool {
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
