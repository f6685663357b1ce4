package sandbox

import (
	"net/textproto"
	"slices"
	"strings"
)

// Match says which requests a rule is for: those that all of it fits. The zero
// Match fits every request.
type Match struct {
	OperationID string            `json:"operationId,omitzero"`
	Method      string            `json:"method,omitzero"`  // HEAD is another than GET
	Path        string            `json:"path,omitzero"`    // a pattern, see [MatchPath]
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
		m.Path != "" && !MatchPath(m.Path, c.Path) {
		return false
	}
	for _, h := range m.headers {
		if !slices.Contains(c.Header[h.name], h.value) {
			return false
		}
	}
	return true
}

// MatchPath reports whether a path is one that the pattern stands for. In a
// pattern the segment * stands for any one that is not empty, and ** at the end
// for the rest, which may be nothing: /pets/** is /pets, /pets/7 and all below.
func MatchPath(pattern, path string) bool {
	for {
		want, patternRest, patternGoesOn := strings.Cut(pattern, "/")
		if want == "**" && !patternGoesOn {
			return true
		}
		got, rest, goesOn := strings.Cut(path, "/")
		if want != got && (want != "*" || got == "") {
			return false
		}
		if !goesOn {
			return !patternGoesOn || patternRest == "**"
		}
		if !patternGoesOn {
			return false
		}
		pattern, path = patternRest, rest
	}
}

// CheckPattern returns what is wrong with a pattern of [MatchPath], or empty.
func CheckPattern(pattern string) string {
	if !strings.HasPrefix(pattern, "/") {
		return "must begin with a /, such as /pets/*"
	}
	segments := strings.Split(pattern[1:], "/")
	for i, segment := range segments {
		switch {
		case segment == "**" && i < len(segments)-1:
			return "must have ** at its end alone; * stands for one segment"
		case segment != "*" && segment != "**" && strings.Contains(segment, "*"):
			return "must have * as a whole segment, such as /pets/*"
		}
	}
	return ""
}
