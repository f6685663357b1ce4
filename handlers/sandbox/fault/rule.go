package fault

import (
	"maps"
	"math"
	"net/textproto"
	"slices"
	"time"

	"example.com/petstore/handlers/sandbox/pattern"
)

// Rule is a fault rule. It specifies which requests it applies to, how often, and with which
// effect. Every field may be omitted. A rule without a delay, a status or an abort has no effect on
// its requests, except that later rules do not apply to them. [Rules] makes deep copies of the
// rules that it accepts and returns, except in [NewRules], [Rules.Load] and [Rules.Decide].
type Rule struct {
	ID      int64 `json:"id"`      // assigned by the sandbox
	Applied int64 `json:"applied"` // how many times the rule was applied

	Off         bool     `json:"off,omitzero"`         // switched off: not applied until it is switched on
	Match       *Match   `json:"match,omitzero"`       // nil matches every request
	Probability *float64 `json:"probability,omitzero"` // from 0 to 1; nil means 1
	Times       *int     `json:"times,omitzero"`       // how many times the rule may be applied; nil means no limit

	Delay   *Delay            `json:"delay,omitzero"`
	Status  *int              `json:"status,omitzero"` // the status of the response; nil means the operation's own
	Code    string            `json:"code,omitzero"`   // the code in the error response; "" means the status's default
	Message string            `json:"message,omitzero"`
	Headers map[string]string `json:"headers,omitzero"` // set in the response
	Abort   Abort             `json:"abort,omitzero"`
	When    When              `json:"when,omitzero"`
}

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
	Header                    textproto.MIMEHeader
}

func (m *Match) matches(c *Call) bool {
	if m == nil {
		return true
	}
	if m.OperationID != "" && m.OperationID != c.OperationID ||
		m.Method != "" && m.Method != c.Method ||
		m.Path != "" && !pattern.Match(m.Path, c.Path) {
		return false
	}
	for name, value := range m.Headers {
		if !slices.Contains(c.Header.Values(name), value) {
			return false
		}
	}
	return true
}

// Abort is the way in which a rule aborts the connection. The empty Abort means that the rule does
// not abort the connection.
type Abort string

// The kinds of abort.
const (
	AbortReset    Abort = "reset"    // no response; the connection ends with a TCP reset
	AbortTruncate Abort = "truncate" // in the middle of the response
	AbortHang     Abort = "hang"     // no response; the connection is held open
)

var aborts = []Abort{AbortReset, AbortTruncate, AbortHang}

// When is the time of a fault: before or after the operation. The empty When means Before.
type When string

// The values of When.
const (
	Before When = "before" // before the operation; see [Rule.Runs]
	After  When = "after"  // after the operation; a status, AbortReset or AbortHang discards its response
)

var whens = []When{Before, After}

// MaxDelay is the longest delay of a rule.
const MaxDelay = 10 * time.Minute

// Delay is a distribution of delays, in milliseconds. It is either fixedMs plus up to jitterMs,
// uniformly distributed, or a log-normal distribution with the percentiles p50Ms and p99Ms.
type Delay struct {
	FixedMs  *int `json:"fixedMs,omitzero"`
	JitterMs *int `json:"jitterMs,omitzero"`
	P50Ms    *int `json:"p50Ms,omitzero"`
	P99Ms    *int `json:"p99Ms,omitzero"`
}

// zscore99 is the 99th percentile of the standard normal distribution.
const zscore99 = 2.3263478740408408

// draw returns the delay of one request, at most MaxDelay.
func (d *Delay) draw(draws *Draws) time.Duration {
	ms := 0.0
	switch {
	case d == nil:
		return 0
	case d.P50Ms != nil && d.P99Ms != nil:
		p50, p99 := float64(*d.P50Ms), float64(*d.P99Ms)
		sigma := math.Log(p99/p50) / zscore99
		ms = p50 * math.Exp(sigma*draws.Rand().NormFloat64())
	default:
		if d.FixedMs != nil {
			ms = float64(*d.FixedMs)
		}
		if d.JitterMs != nil {
			ms += float64(*d.JitterMs) * draws.Rand().Float64()
		}
	}
	return min(time.Duration(ms*float64(time.Millisecond)), MaxDelay)
}

// Runs reports whether the operation still runs when the rule applies.
func (r *Rule) Runs() bool {
	return r.When == After || r.Abort == AbortTruncate || r.Status == nil && r.Abort == ""
}

// clone returns a deep copy.
func (r Rule) clone() Rule {
	r.Probability, r.Times, r.Status = clonePointer(r.Probability), clonePointer(r.Times), clonePointer(r.Status)
	r.Headers = maps.Clone(r.Headers)
	if r.Match = clonePointer(r.Match); r.Match != nil {
		r.Match.Headers = maps.Clone(r.Match.Headers)
	}
	if r.Delay = clonePointer(r.Delay); r.Delay != nil {
		r.Delay.FixedMs, r.Delay.JitterMs = clonePointer(r.Delay.FixedMs), clonePointer(r.Delay.JitterMs)
		r.Delay.P50Ms, r.Delay.P99Ms = clonePointer(r.Delay.P50Ms), clonePointer(r.Delay.P99Ms)
	}
	return r
}

// ruleBytes and headerBytes are the memory that a rule and each of its headers use, not counting
// the bytes of their strings.
const (
	ruleBytes   = 768
	headerBytes = 128
)

// bytes returns the memory that the rule uses.
func (r *Rule) bytes() int {
	n := ruleBytes + len(r.Code) + len(r.Message) + headersBytes(r.Headers)
	if m := r.Match; m != nil {
		n += len(m.OperationID) + len(m.Method) + len(m.Path) + headersBytes(m.Headers)
	}
	return n
}

// checkSize checks that the rules can be added to a sandbox that already has the given number of
// other rules, which use the given number of bytes. It returns the memory that all rules use, or
// [ErrFull], [ErrBytes] or [ErrLarge].
func checkSize(rules []Rule, others int, bytes int64) (int64, error) {
	if others+len(rules) > MaxRules {
		return 0, ErrFull
	}
	for i := range rules {
		n := rules[i].bytes()
		if n > MaxRule {
			return 0, ErrLarge
		}
		bytes += int64(n)
	}
	if bytes > MaxBytes {
		return 0, ErrBytes
	}
	return bytes, nil
}

func headersBytes(headers map[string]string) int {
	n := 0
	for name, value := range headers {
		n += headerBytes + len(name) + len(value)
	}
	return n
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
