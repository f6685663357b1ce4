package contracttest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers/internal/contracttest"
)

// flaw is one error in an otherwise valid request.
type flaw struct {
	name   string
	place  string // the place in the details, or "" if details are optional
	status int    // of the response; 0 means 400
	apply  func(*call)
}

// flawsOf returns the flaws that the schemas allow to add to the request.
func flawsOf(op *schemaOperation, c *call) []flaw {
	var flaws []flaw
	for _, ref := range op.parameters {
		flaws = append(flaws, parameterFlaws(ref.Value)...)
	}
	if strings.HasPrefix(op.path, "/admin") {
		flaws = append(flaws, flaw{name: "an unknown parameter", place: "unheardOf", apply: func(c *call) {
			c.query = append(c.query, queryPart{"unheardOf", "1"})
		}})
	}
	if c.body != nil {
		flaws = append(flaws, bodyFlaws(op, c)...)
	}
	for i := range flaws { // an injected fault or an unknown sandbox would be reported first
		apply := flaws[i].apply
		flaws[i].apply = func(c *call) {
			delete(c.header, "Prefer")
			delete(c.header, "X-Sandbox") // the sandbox may not exist
			apply(c)
		}
	}
	return flaws
}

func parameterFlaws(p *openapi3.Parameter) []flaw {
	var flaws []flaw
	bad := func(text string) {
		flaws = append(flaws, flaw{name: fmt.Sprintf("%s %q", p.Name, text), place: p.Name, apply: func(c *call) {
			switch p.In {
			case "path":
				c.path[p.Name] = text
			case "query":
				c.query = append(slices.DeleteFunc(c.query, func(part queryPart) bool { return part.name == p.Name }),
					queryPart{p.Name, text})
			case "header":
				c.header[http.CanonicalHeaderKey(p.Name)] = []string{text}
			}
		}})
	}
	for _, text := range badTexts(p.Schema.Value) {
		if p.Name != "X-Sandbox" && (text != "" || p.In != "path") { // such a text makes another path
			bad(text)
		}
	}
	if p.Name == "X-Sandbox" {
		for _, text := range []string{"*", ".", ".."} { // invalid by its description
			bad(text)
		}
	}
	// The key is only checked if it is needed.
	if p.In == "query" && !p.Schema.Value.Type.Is("array") && p.Name != "access_token" {
		flaws = append(flaws, flaw{name: p.Name + " twice", place: p.Name, apply: func(c *call) {
			c.query = append(c.query, queryPart{p.Name, "1"}, queryPart{p.Name, "1"})
		}})
	}
	return flaws
}

// badTexts returns texts of a parameter that the schema does not allow.
func badTexts(s *openapi3.Schema) []string {
	s = contracttest.Plain(s)
	if s.Type.Is("array") {
		return badTexts(s.Items.Value)
	}
	var texts []string
	switch {
	case s.Type.Is("integer"):
		texts = []string{"", " ", "x", "+1", "01", "1.0", "1e2", "0x1", "1_000", "9223372036854775808", "\u0661"}
		least, most := bounds(s)
		if s.Min != nil {
			texts = append(texts, fmt.Sprint(least-1))
		}
		if s.Max != nil {
			texts = append(texts, fmt.Sprint(most+1))
		}
	case s.Type.Is("boolean"):
		texts = []string{"", "yes", "1", "True"}
	default:
		for _, value := range badStrings(s) {
			texts = append(texts, value.(string))
		}
	}
	return texts
}

// badStrings returns strings that the schema does not allow.
func badStrings(s *openapi3.Schema) []any {
	var texts []any
	switch {
	case len(s.Enum) > 0:
		first := fmt.Sprint(s.Enum[0])
		texts = []any{"", "nonsense", strings.ToUpper(first), strings.ToLower(first)}
		texts = slices.DeleteFunc(texts, func(text any) bool { return slices.Contains(s.Enum, text) })
	case s.Format == "date-time":
		texts = []any{"", "tomorrow", "2026-01-01", "2026-02-30T00:00:00Z", "2026-01-01 00:00:00Z",
			"2026-01-01T00:00:00"}
	case s.Pattern != "":
		pattern := compiled(s.Pattern)
		for _, text := range []string{"", " ", "x", "Not One!", "a/b", "2026", "20260101", "*", ".", ".."} {
			if !pattern.MatchString(text) {
				texts = append(texts, text)
			}
		}
	case s.MinLength > 0:
		texts = []any{""}
	}
	if s.MaxLength != nil {
		texts = append(texts, strings.Repeat("x", int(*s.MaxLength)+1))
	}
	return texts
}

var patterns sync.Map // text to *regexp.Regexp

func compiled(pattern string) *regexp.Regexp {
	found, ok := patterns.Load(pattern)
	if !ok {
		found, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return found.(*regexp.Regexp)
}

// bodyFlaws returns the possible flaws in the text of the body and in each of its values.
func bodyFlaws(op *schemaOperation, c *call) []flaw {
	text := string(c.text())
	var flaws []flaw
	for name, raw := range map[string]string{
		"a body that ends early": text[:len(text)-1],
		"more than a body":       text + " {}",
		"a body that is text":    "nonsense",
		"a body that is null":    "null",
		"a body that is empty":   " ",
		"a body of another type": map[byte]string{'{': "[]", '[': "{}"}[text[0]],
		"a broken string":        strings.Replace(text, `"`, "\"\xff", 1),
		"a name twice":           strings.Replace(text, `{"`, `{"unheardOf":1,"unheardOf":1,"`, 1),
	} {
		if raw != text {
			flaws = append(flaws, flaw{name: name, apply: func(c *call) { c.raw = []byte(raw) }})
		}
	}
	for _, other := range []string{"text/plain", "application/xml", "application/x-www-form-urlencoded",
		"application/json-seq"} {
		flaws = append(flaws,
			flaw{name: other, status: http.StatusUnsupportedMediaType, apply: func(c *call) {
				c.header.Set("Content-Type", other)
			}})
	}
	schema := op.RequestBody.Value.Content[c.header.Get("Content-Type")].Schema.Value
	set := func(value any) { c.body = value }
	for _, name := range op.kept {
		flaws = append(flaws,
			flaw{name: name + " null", place: "/" + name, apply: func(c *call) { c.body.(map[string]any)[name] = nil }})
	}
	return append(flaws, valueFlaws(schema, c.body, "", set)...)
}

// valueFlaws returns the possible flaws in a value of the body. The function set replaces the
// value.
func valueFlaws(s *openapi3.Schema, value any, place string, set func(any)) []flaw {
	allowed := func(kind string) bool { // by any of its types; Plain is the first of them
		return s.Type.Is(kind) || s.Type.Is("number") && kind == "integer"
	}
	if variants := s.AnyOf; len(variants) > 0 {
		allowed = func(kind string) bool {
			return slices.ContainsFunc(variants, func(v *openapi3.SchemaRef) bool { return v.Value.Type.Is(kind) })
		}
	}
	s = contracttest.Plain(s)
	var flaws []flaw
	bad := func(value any) {
		flaws = append(flaws,
			flaw{name: fmt.Sprintf("%s %.50q", place, fmt.Sprint(value)), place: place, apply: func(*call) {
				set(value)
			}})
	}
	others := map[string]any{"object": map[string]any{}, "array": []any{}, "string": "nonsense", "integer": 7,
		"boolean": true}
	for kind, other := range others {
		if place != "" && !allowed(kind) {
			bad(other)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		flaws = append(flaws, objectFlaws(s, value, place)...)
	case []any:
		for i := range value {
			flaws = append(flaws,
				valueFlaws(s.Items.Value, value[i], fmt.Sprintf("%s/%d", place, i), func(v any) { value[i] = v })...)
		}
	case string:
		for _, text := range badStrings(s) {
			if text != "" || !emptyIsNone[path.Base(place)] {
				bad(text)
			}
		}
	case int64:
		least, most := bounds(s)
		for _, number := range []string{"1.0", "1e2", "1.5", "18446744073709551616"} {
			bad(json.RawMessage(number))
		}
		if s.Min != nil {
			bad(least - 1)
		}
		if s.Max != nil {
			bad(most + 1)
		}
	case float64:
		bad(*s.Min - 0.5)
		bad(*s.Max + 0.5)
	}
	return flaws
}

// emptyIsNone are the fields of a fault rule that count as left out if they are empty, by the
// document.
var emptyIsNone = map[string]bool{"operationId": true, "path": true, "abort": true, "when": true, "method": true}

func objectFlaws(s *openapi3.Schema, object map[string]any, place string) []flaw {
	var flaws []flaw
	for _, name := range s.Required {
		flaws = append(flaws,
			flaw{name: place + "/" + name + " missing", place: place + "/" + name, apply: func(*call) {
				delete(object, name)
			}},
			flaw{name: place + "/" + name + " null", place: place + "/" + name, apply: func(*call) {
				object[name] = nil
			}})
	}
	if has := s.AdditionalProperties.Has; has != nil && !*has {
		flaws = append(flaws,
			flaw{name: "an unknown field", place: place + "/unheardOf", apply: func(*call) { object["unheardOf"] = 1 }})
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		schema := s.AdditionalProperties.Schema
		if property, ok := s.Properties[name]; ok {
			schema = property
		}
		if schema != nil && object[name] != nil {
			flaws = append(flaws,
				valueFlaws(schema.Value, object[name], place+"/"+name, func(v any) { object[name] = v })...)
		}
	}
	return flaws
}
