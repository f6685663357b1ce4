package fault

import (
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// Fields are the fields of a rule in JSON. [Rule.Check] validates the rule as a whole.
var Fields = field.Fields[Rule]{
	// Add ignores the id. Replace and an imported world keep it if it is valid.
	field.Optional("id", func(r *Rule) *int64 { return &r.ID }, field.AnyInteger, 0),
	// Add ignores the count. See Replace. An imported world keeps it.
	field.Optional("applied", func(r *Rule) *int64 { return &r.Applied }, field.AnyInteger, 0),
	field.Optional("off", func(r *Rule) *bool { return &r.Off }, field.Boolean, false),
	field.Pointer("match", func(r *Rule) **Match { return &r.Match }, object(field.Nested(matchFields), `{"operationId": "listPets"}`)),
	field.Pointer("probability", func(r *Rule) **float64 { return &r.Probability }, field.Number),
	field.Pointer("times", func(r *Rule) **int { return &r.Times }, field.Int),
	field.Pointer("delay", func(r *Rule) **Delay { return &r.Delay }, object(field.Nested(delayFields), `{"fixedMs": 500}`)),
	field.Pointer("status", func(r *Rule) **int { return &r.Status }, field.Int),
	field.Optional("code", func(r *Rule) *string { return &r.Code }, field.AnyText, ""),
	field.Optional("message", func(r *Rule) *string { return &r.Message }, field.AnyText, ""),
	field.Optional("headers", func(r *Rule) *map[string]string { return &r.Headers }, headers(`{"Retry-After": "1"}`),
		nil),
	field.Optional("abort", func(r *Rule) *Abort { return &r.Abort }, word(aborts), ""),
	field.Optional("when", func(r *Rule) *When { return &r.When }, word(whens), ""),
}

var matchFields = field.Fields[Match]{
	field.Optional("operationId", func(m *Match) *string { return &m.OperationID }, nonEmpty, ""),
	field.Optional("method", func(m *Match) *string { return &m.Method }, nonEmpty, ""),
	field.Optional("path", func(m *Match) *string { return &m.Path }, nonEmpty, ""),
	field.Optional("headers", func(m *Match) *map[string]string { return &m.Headers }, headers(`{"X-Client": "web"}`),
		nil),
}

var delayFields = field.Fields[Delay]{
	field.Pointer("fixedMs", func(d *Delay) **int { return &d.FixedMs }, field.Int),
	field.Pointer("jitterMs", func(d *Delay) **int { return &d.JitterMs }, field.Int),
	field.Pointer("p50Ms", func(d *Delay) **int { return &d.P50Ms }, field.Int),
	field.Pointer("p99Ms", func(d *Delay) **int { return &d.P99Ms }, field.Int),
}

// object returns a Reader that accepts only objects. like is the example in the message for any other
// value.
func object[V any](read field.Reader[V], like string) field.Reader[V] {
	return func(v jsontext.Value, r *field.Reading) (value V, ok bool) {
		if v.Kind() != '{' {
			r.Wrong("must be an object such as %s, not %s", like, field.KindName(v.Kind()))
			return value, false
		}
		return read(v, r)
	}
}

// headers returns a Reader of objects with header names and values. like is the example in the
// message for any other value.
func headers(like string) field.Reader[map[string]string] {
	return object(func(v jsontext.Value, r *field.Reading) (map[string]string, bool) {
		defer func(before string) { r.Unquoted = before }(r.Unquoted)
		r.Unquoted = "; put it in quotes"
		return field.Texts(v, r)
	}, like)
}

// nonEmpty reads a text that must not be empty, because an empty text in a [Match] matches
// everything.
func nonEmpty(v jsontext.Value, r *field.Reading) (string, bool) {
	text, ok := field.AnyText[string](v, r)
	if ok && text == "" {
		r.Wrong("must not be empty; leave it out to match any")
		return "", false
	}
	return text, ok
}

// word returns a Reader of strings that must be one of the given words. The message for any other
// value lists the words.
func word[V ~string](words []V) field.Reader[V] {
	return func(v jsontext.Value, r *field.Reading) (V, bool) {
		if v.Kind() != '"' {
			r.Wrong("must be %s, not %s", field.Or(words), field.KindName(v.Kind()))
			return "", false
		}
		return field.OneOf(words)(v, r)
	}
}
