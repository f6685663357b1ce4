package webhook

import (
	"slices"
	"strings"
	"time"

	"example.com/petstore/store/field"
)

// Event is something that happened in a sandbox.
type Event struct {
	Type string    // one of [Types]
	At   time.Time // by the sandbox's clock
	Data []byte    // a JSON object, never changed; nil: an empty one
}

// Types returns the types of the events that there are: those of the sandbox's event stream.
func Types() []string {
	return []string{
		"pet.created", "pet.updated", "pet.deleted",
		"category.created", "category.updated", "category.deleted",
		"order.created", "order.updated", "order.deleted",
		"inventory.updated", "message.created", "sandbox.reset",
	}
}

// everything is the pattern of all events.
const everything = "*"

// patterns returns all that a webhook can ask for: each type, each noun with .* behind it,
// and all.
func patterns() []string {
	all := Types()
	for _, t := range Types() {
		noun, _, _ := strings.Cut(t, ".")
		if p := noun + ".*"; !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return append(all, everything)
}

// wants reports whether a type is among the patterns.
func wants(patterns []string, t string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		noun, any := strings.CutSuffix(p, "*")
		return p == t || any && strings.HasPrefix(t, noun)
	})
}

// checkPattern returns what is wrong with what a webhook asks for; empty: nothing.
func checkPattern(p string) string {
	if all := patterns(); !slices.Contains(all, p) {
		return field.MustBeOneOf(all, p)
	}
	return ""
}
