package fault

import (
	"maps"
	"math"
	"time"
)

// Rule is a fault rule: which requests it applies to, how often, and what it does to
// them. Every part may be omitted; a rule without a delay, a status and an abort
// leaves its requests alone, so that later rules do not apply to them. [Rules] copies
// each that it takes and hands out, with what it points to.
type Rule struct {
	ID      int64 `json:"id"`      // given by the sandbox
	Applied int64 `json:"applied"` // how many requests it was applied to

	Match       *Match   `json:"match,omitzero"`       // nil: every request
	Probability *float64 `json:"probability,omitzero"` // from 0 to 1; nil: 1
	Times       *int     `json:"times,omitzero"`       // how often it is applied at most; nil: no limit

	Delay   *Delay            `json:"delay,omitzero"`
	Status  *int              `json:"status,omitzero"` // of the answer; nil: that of the operation
	Code    string            `json:"code,omitzero"`   // of the answer's Error; empty: that of the status
	Message string            `json:"message,omitzero"`
	Headers map[string]string `json:"headers,omitzero"` // of the answer
	Abort   Abort             `json:"abort,omitzero"`
	When    When              `json:"when,omitzero"`
}

// Abort is how a connection is broken off. The empty Abort is not at all.
type Abort string

// The ways to break off.
const (
	AbortReset    Abort = "reset"    // at once, with a TCP reset
	AbortTruncate Abort = "truncate" // in the middle of the operation's answer
	AbortHang     Abort = "hang"     // never, until the client goes or the server stops
)

// Aborts returns every way to break off.
func Aborts() []Abort { return []Abort{AbortReset, AbortTruncate, AbortHang} }

// When is when the fault happens. The empty When is Before.
type When string

// The moments of a fault.
const (
	Before When = "before" // the operation has not run, and with a status or an abort does not
	After  When = "after"  // the operation has run; with a status or an abort its response is discarded
)

// Whens returns every moment of a fault.
func Whens() []When { return []When{Before, After} }

// MaxDelay is the longest delay of a rule.
const MaxDelay = 10 * time.Minute

// Delay is how long responses are delayed, in milliseconds: fixedMs plus up to
// jitterMs, evenly spread, or a log-normal time with the percentiles p50Ms and p99Ms.
type Delay struct {
	FixedMs  *int `json:"fixedMs,omitzero"`
	JitterMs *int `json:"jitterMs,omitzero"`
	P50Ms    *int `json:"p50Ms,omitzero"`
	P99Ms    *int `json:"p99Ms,omitzero"`
}

// zscore99 is how many standard deviations the 99th percentile of the normal
// distribution is above its mean.
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
		ms = p50 * math.Exp(sigma*draws.NormFloat64())
	default:
		if d.FixedMs != nil {
			ms = float64(*d.FixedMs)
		}
		if d.JitterMs != nil {
			ms += float64(*d.JitterMs) * draws.Float64()
		}
	}
	return min(time.Duration(ms*float64(time.Millisecond)), MaxDelay)
}

// Runs reports whether the operation runs although the rule is applied.
func (r *Rule) Runs() bool {
	return r.When == After || r.Abort == AbortTruncate || r.Status == nil && r.Abort == ""
}

// clone returns a copy that shares nothing with r.
func (r Rule) clone() Rule {
	r.Probability, r.Times, r.Status = copied(r.Probability), copied(r.Times), copied(r.Status)
	r.Headers = maps.Clone(r.Headers)
	if r.Match = copied(r.Match); r.Match != nil {
		r.Match.Headers = maps.Clone(r.Match.Headers)
	}
	if r.Delay = copied(r.Delay); r.Delay != nil {
		r.Delay.FixedMs, r.Delay.JitterMs = copied(r.Delay.FixedMs), copied(r.Delay.JitterMs)
		r.Delay.P50Ms, r.Delay.P99Ms = copied(r.Delay.P50Ms), copied(r.Delay.P99Ms)
	}
	return r
}

// What a rule and each of its headers cost besides their texts.
const (
	ruleBytes   = 768
	headerBytes = 128
)

// bytes returns what the rule holds.
func (r *Rule) bytes() int {
	n := ruleBytes + len(r.Code) + len(r.Message) + headersBytes(r.Headers)
	if m := r.Match; m != nil {
		n += len(m.OperationID) + len(m.Method) + len(m.Path) + headersBytes(m.Headers)
	}
	return n
}

// bounded returns the bytes of the rules with those of others that the sandbox has, or
// [ErrFull], [ErrBytes] or [ErrLarge].
func bounded(rules []Rule, others int, bytes int64) (int64, error) {
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

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
