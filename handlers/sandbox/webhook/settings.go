package webhook

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// These constants limit the settings of a webhook.
const (
	maxURL    = 2048 // characters
	maxEvents = 20
)

// Settings say where a webhook sends, which events it sends, and with which secret it signs them.
type Settings struct {
	URL    string   // the target; see [Targets.Check]
	Events []string // patterns such as pet.created, pet.* or *; an empty list matches all events
	Secret string   // whsec_ and 24 to 64 bytes in base64; "" keeps the old secret, or generates one for a new webhook
}

// Fields describes the JSON form of Settings.
var Fields = field.Fields[Settings]{
	field.Required("url", func(s *Settings) *string { return &s.URL }, field.Text(1, maxURL)),
	field.Optional("events", func(s *Settings) *[]string { return &s.Events }, readEvents, nil),
	field.Optional("secret", func(s *Settings) *string { return &s.Secret }, readSecret, ""),
}

func readEvents(v jsontext.Value, r *field.Reading) ([]string, bool) {
	var events []string
	field.EachValue(v, r, func(v jsontext.Value) {
		event, _ := field.AnyText[string](v, r)
		if len(events) <= maxEvents { // keep one too many, which suffices for the error
			events = append(events, event)
		}
	})
	if v.Kind() == '[' && len(events) == 0 {
		r.Wrong("must have at least one event; leave it out for all")
	}
	return events, len(events) > 0
}

// readSecret reads a secret. It rejects "", because an empty Settings.Secret means that there is no
// new secret.
func readSecret(v jsontext.Value, r *field.Reading) (string, bool) {
	secret, ok := field.AnyText[string](v, r)
	if ok && secret == "" {
		r.Wrong("cannot be empty; leave it out, and one is made")
	}
	return secret, ok && secret != ""
}

// Check validates the settings of a webhook. The Field of each problem is a JSON Pointer. No problem
// contains the secret.
func (h *Hooks) Check(s *Settings) (problems field.Problems) {
	if err := h.sender.targets.Check(s.URL); err != nil {
		problems = append(problems, field.ProblemOf("/url", err))
	}
	if len(s.Events) > maxEvents {
		problems.Add("/events", "can have at most %d events; use %s, or noun.*", maxEvents, everything)
	}
	known := patterns(h.sender.Types)
	for i, event := range s.Events[:min(len(s.Events), maxEvents)] {
		if !slices.Contains(known, event) {
			problems.Add(fmt.Sprint("/events/", i), "%s", field.MustBeOneOf(known, event))
		}
	}
	if s.Secret != "" {
		if _, err := keyOf(s.Secret); err != nil {
			problems.Add("/secret", "%v", err)
		}
	}
	return problems
}

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
