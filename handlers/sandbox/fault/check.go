package fault

import (
	"maps"
	"net/textproto"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/sandbox/pattern"
	"example.com/petstore/store/field"
)

// These are the maximum lengths of the texts of an injected response, in characters.
const (
	maxRuleCode    = 100
	maxRuleMessage = 4000
)

// reserved are the response headers that a rule cannot set. They frame the message, control the
// connection or describe the content.
var reserved = []string{
	"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Keep-Alive", "Proxy-Connection", "Te",
	"Trailer", "Transfer-Encoding", "Upgrade", "X-Content-Type-Options",
}

// Allowed returns the reason why a rule may not set a response header, or "". name is in canonical
// form. A nil Allowed allows everything.
type Allowed func(status int, name, value string) (wrong string)

// Check validates the rule. It calls operation to validate the operationId of r.Match. allowed
// limits the response headers that the rule may set. The Field of each problem is a JSON Pointer
// into the rule.
func (r *Rule) Check(operation func(id string) error, allowed Allowed) field.Problems {
	var c checker
	if r.Match != nil {
		c.match(r.Match, operation)
	}
	if p := r.Probability; p != nil && !(*p >= 0 && *p <= 1) {
		c.problems.Add("/probability", "must be from 0 to 1, not %v", *p)
	}
	if r.Times != nil && *r.Times < 1 {
		c.problems.Add("/times", `must be at least 1, not %d; give "off": true to switch the rule off`, *r.Times)
	}
	if r.Delay != nil {
		c.delay(r.Delay)
	}
	c.answer(r, allowed)
	switch {
	case r.Abort != "" && !slices.Contains(aborts, r.Abort):
		c.problems.Add("/abort", "%s", field.MustBeOneOf(aborts, string(r.Abort)))
	case r.Abort != "" && r.Status != nil:
		c.problems.Add("/abort",
			"cannot be combined with a status, since a broken connection has none; give one or the other")
	}
	switch {
	case r.When != "" && !slices.Contains(whens, r.When):
		c.problems.Add("/when", "%s", field.MustBeOneOf(whens, string(r.When)))
	case r.When != "" && r.Delay == nil && r.Status == nil && r.Abort == "":
		c.problems.Add("/when", "says when a delay, a status or an abort happens; give one of them")
	}
	return c.problems
}

type checker struct{ problems field.Problems }

func (c *checker) match(m *Match, operation func(string) error) {
	if m.OperationID != "" {
		if err := operation(m.OperationID); err != nil {
			c.problems = append(c.problems, field.ProblemOf("/match/operationId", err))
		}
	}
	if methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}; m.Method != "" &&
		!slices.Contains(methods, m.Method) {
		c.problems.Add("/match/method", "must be one of %s, not %s", strings.Join(methods, ", "), field.Quote(m.Method))
	}
	if m.Path != "" {
		if wrong := pattern.Check(m.Path); wrong != "" {
			c.problems.Add("/match/path", "%s, not %s", wrong, field.Quote(m.Path))
		}
	}
	for _, name := range sortedNames(m.Headers) {
		at := under("/match/headers", name)
		if c.header(at, name, m.Headers[name]) == "Host" {
			c.problems.Add(at, "cannot be matched; X-Sandbox and the path say which sandbox a request is for")
		}
	}
	c.duplicates("/match/headers", m.Headers)
}

func (c *checker) delay(d *Delay) {
	const most = int(MaxDelay / 1e6)
	uniform, normal := d.FixedMs != nil || d.JitterMs != nil, d.P50Ms != nil || d.P99Ms != nil
	switch {
	case uniform && normal:
		c.problems.Add("/delay", "must have fixedMs and jitterMs, or p50Ms and p99Ms, not both")
	case !uniform && !normal:
		c.problems.Add("/delay", "must have fixedMs, or p50Ms and p99Ms")
	}
	bounded := func(name string, ms *int, least int) {
		if ms != nil && (*ms < least || *ms > most) {
			c.problems.Add("/delay/"+name, "must be from %d to %d milliseconds, not %d", least, most, *ms)
		}
	}
	bounded("fixedMs", d.FixedMs, 0)
	bounded("jitterMs", d.JitterMs, 0)
	bounded("p50Ms", d.P50Ms, 1)
	bounded("p99Ms", d.P99Ms, 1)
	switch {
	case normal && d.P50Ms == nil:
		c.problems.Add("/delay/p50Ms", "is required with p99Ms")
	case normal && d.P99Ms == nil:
		c.problems.Add("/delay/p99Ms", "is required with p50Ms")
	case normal && *d.P99Ms < *d.P50Ms:
		c.problems.Add("/delay/p99Ms", "must be at least p50Ms, which is %d, not %d", *d.P50Ms, *d.P99Ms)
	case uniform && d.FixedMs != nil && d.JitterMs != nil && *d.FixedMs <= most && *d.JitterMs <= most &&
		*d.FixedMs+*d.JitterMs > most:
		c.problems.Add("/delay/jitterMs",
			"must be at most %d with this fixedMs, since no delay can be longer than %d milliseconds", most-*d.FixedMs,
			most)
	}
}

func (c *checker) answer(r *Rule, allowed Allowed) {
	if r.Status != nil && (*r.Status < 200 || *r.Status > 599) {
		c.problems.Add("/status", "must be from 200 to 599, not %d", *r.Status)
	}
	if r.Status == nil {
		const needsStatus = "is only for an injected response; give a status too"
		if r.Code != "" {
			c.problems.Add("/code", needsStatus)
		}
		if r.Message != "" {
			c.problems.Add("/message", needsStatus)
		}
		if r.Headers != nil {
			c.problems.Add("/headers", needsStatus)
		}
	}
	if n := len([]rune(r.Code)); n > maxRuleCode {
		c.problems.Add("/code", "must be at most %d characters long, not %d", maxRuleCode, n)
	}
	if n := len([]rune(r.Message)); n > maxRuleMessage {
		c.problems.Add("/message", "must be at most %d characters long, not %d", maxRuleMessage, n)
	}
	for _, name := range sortedNames(r.Headers) {
		at := under("/headers", name)
		canonical := c.header(at, name, r.Headers[name])
		if slices.Contains(reserved, canonical) {
			c.problems.Add(at, "is set by the server; leave it out")
		}
		if allowed == nil || r.Status == nil {
			continue
		}
		if wrong := allowed(*r.Status, canonical, r.Headers[name]); wrong != "" {
			c.problems.Add(at, "%s", wrong)
		}
	}
	c.duplicates("/headers", r.Headers)
}

// duplicates adds a problem for each name that differs from an earlier name only in case.
func (c *checker) duplicates(object jsontext.Pointer, headers map[string]string) {
	first := make(map[string]string)
	for _, name := range sortedNames(headers) {
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if other, ok := first[canonical]; ok {
			c.problems.Add(under(object, name), "is the same header as %s; give it once", other)
			continue
		}
		first[canonical] = name
	}
}

// tokenCharacters are the characters of a token (RFC 9110, section 5.6.2), such as the name of a header.
const tokenCharacters = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// header validates a header field (RFC 9110, sections 5.1 and 5.5), and returns the canonical form of
// its name.
func (c *checker) header(at, name, value string) (canonical string) {
	if name == "" || strings.Trim(name, tokenCharacters) != "" {
		c.problems.Add(at, "is not a header name; a name is letters, digits and !#$%%&'*+-.^_`|~")
	}
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.ContainsFunc(value, control) || strings.Trim(value, " \t") != value {
		c.problems.Add(at, "must have a value without control characters, and without spaces around it")
	}
	return textproto.CanonicalMIMEHeaderKey(name)
}

func sortedNames(headers map[string]string) []string { return slices.Sorted(maps.Keys(headers)) }

// under appends the name of a field to the JSON Pointer of its object.
func under(object jsontext.Pointer, name string) string { return string(object.AppendToken(name)) }
