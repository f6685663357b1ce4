package config

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/sandbox/fault"
)

// Latency is a range of delays, which are uniformly distributed from Min to Max. Min and Max are
// whole numbers of milliseconds and at most 10 minutes. The text form is "200ms" or "200ms..800ms".
type Latency struct{ Min, Max time.Duration }

const latencyHelp = "must be a time such as 200ms, or two such as 200ms..800ms for an " +
	"even spread, in whole milliseconds up to 10m"

// Set sets l from its text form.
func (l *Latency) Set(text string) error {
	from, to, spread := strings.Cut(text, "..")
	if !spread {
		to = from
	}
	least, err := time.ParseDuration(from)
	most, err2 := time.ParseDuration(to)
	parsed := Latency{least, most}
	if err != nil || err2 != nil || !parsed.valid() {
		return errors.New(latencyHelp)
	}
	*l = parsed
	return nil
}

// String returns the text form. It is empty for the zero Latency.
func (l *Latency) String() string {
	switch {
	case l.Max == 0:
		return ""
	case l.Min == l.Max:
		return l.Min.String()
	}
	return l.Min.String() + ".." + l.Max.String()
}

func (l Latency) valid() bool {
	return l.Min >= 0 && l.Min <= l.Max && l.Max <= fault.MaxDelay &&
		l.Min%time.Millisecond == 0 && l.Max%time.Millisecond == 0
}

func (l Latency) delay() *fault.Delay {
	if l.Max == 0 {
		return nil
	}
	return &fault.Delay{
		FixedMs:  new(int(l.Min.Milliseconds())),
		JitterMs: new(int((l.Max - l.Min).Milliseconds())),
	}
}

// Faults returns the fault rules that implement ErrorRate and Latency in every sandbox. The rule
// for errors also has a delay, because only the first matching rule is applied to a request.
func (c *Config) Faults() []fault.Rule {
	var rules []fault.Rule
	if c.ErrorRate > 0 {
		rules = append(rules, fault.Rule{
			Probability: &c.ErrorRate, Delay: c.Latency.delay(), Status: new(http.StatusServiceUnavailable),
		})
	}
	if c.Latency.Max > 0 {
		rules = append(rules, fault.Rule{Delay: c.Latency.delay()})
	}
	return rules
}
