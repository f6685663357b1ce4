package webhook

import (
	"slices"
	"strings"
	"time"

	"example.com/petstore/store/field"
)

// Event reports a change in a sandbox.
type Event struct {
	Type string    // one of [Sender.Types]
	At   time.Time // by the sandbox's clock
	Data []byte    // a JSON object that never changes; nil means {}
}

// everything is the pattern for all events.
const everything = "*"

// patterns returns all patterns that a webhook can use: each type such as pet.created, each noun
// with a wildcard such as pet.*, and *.
func patterns(types []string) []string {
	all := slices.Clone(types)
	for _, t := range types {
		noun, _, _ := strings.Cut(t, ".")
		if p := noun + ".*"; !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return append(all, everything)
}

// wants reports whether the event type t matches one of the patterns.
func wants(patterns []string, t string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		noun, any := strings.CutSuffix(p, "*")
		return p == t || any && strings.HasPrefix(t, noun)
	})
}

// checkPattern returns the message for an invalid pattern, or "" if p is valid.
func checkPattern(types []string, p string) string {
	if all := patterns(types); !slices.Contains(all, p) {
		return field.MustBeOneOf(all, p)
	}
	return ""
}
