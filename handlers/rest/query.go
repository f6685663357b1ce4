package rest

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/petstore/store/field"
)

// Query is a request's query. The methods that read a parameter collect problems. [Query.Err]
// reports them in one response.
type Query struct {
	pairs    []pair
	problems field.Reading
}

type pair struct{ name, value string }

// ReadQuery returns the request's query.
func (x *Exchange) ReadQuery() *Query {
	q := new(Query)
	if x.R.URL.RawQuery != "" {
		q.parse(x.R.URL.RawQuery)
	}
	if x.Strict {
		q.refuseUnknown(x.Operation.Query)
	}
	return q
}

func (q *Query) parse(raw string) {
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		if q.problems.More {
			return
		}
		rawName, rawValue, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			q.Refuse(rawName, "does not parse; write % as %25")
			continue
		}
		value, err := url.QueryUnescape(rawValue)
		switch {
		case strings.Contains(part, ";"):
			// Some parsers treat a semicolon as a separator and others do not, so a semicolon is
			// an error. %3B is accepted.
			q.Refuse(name, "contains a semicolon; separate parameters with &, and write ; as %3B")
		case err != nil:
			q.Refuse(name, "does not parse; write % as %25")
		case !utf8.ValidString(name + value):
			q.Refuse(name, "is not UTF-8; percent-encode the parameter in UTF-8, as encodeURIComponent does")
		default:
			q.pairs = append(q.pairs, pair{name, value})
		}
	}
}

func (q *Query) refuseUnknown(known []string) {
	for _, p := range q.pairs {
		if q.problems.More {
			return
		}
		if !slices.Contains(known, p.name) {
			q.Refuse(p.name, field.Unknown("parameter", p.name, known))
		}
	}
}

// Refuse adds a problem with a parameter. A parameter without a name is reported as "".
func (q *Query) Refuse(name, message string) {
	q.problems.Add(field.Problem{Field: cmp.Or(field.Abbreviate(name), `""`), Message: message})
}

// Err returns an error response that describes the problems found so far, or nil if there are none.
func (q *Query) Err() error { return refusalFor("invalid_parameter", &q.problems) }

// values returns the values of a parameter. An empty value is a problem.
func (q *Query) values(name string) []string {
	var values []string
	for _, p := range q.pairs {
		switch {
		case p.name != name:
		case p.value == "":
			q.Refuse(name, "is empty; give it a value or leave it out")
		default:
			values = append(values, p.value)
		}
	}
	return values
}

// Text returns the value of a parameter, or "" if it is missing. More than one value is a problem.
func (q *Query) Text(name string) string {
	values := q.values(name)
	switch len(values) {
	case 0:
		return ""
	case 1:
		return values[0]
	}
	q.Refuse(name, givenOften(len(values)))
	return ""
}

// Choice returns the value of a parameter, or "" if it is missing. The value must be one of values.
func Choice[T ~string](q *Query, name string, values ...T) T {
	value := T(q.Text(name))
	if value != "" && !slices.Contains(values, value) {
		q.Refuse(name, field.MustBeOneOf(values, string(value)))
	}
	return value
}

// Int returns the value of an integer parameter, or unset if the parameter is missing. The value
// must be in the range from least to most, inclusive.
func (q *Query) Int(name string, unset, least, most int64) int64 {
	if n := q.OptionalInt(name, least, most); n != nil {
		return *n
	}
	return unset
}

// OptionalInt is like [Query.Int], but returns nil if the parameter is missing.
func (q *Query) OptionalInt(name string, least, most int64) *int64 {
	text := q.Text(name)
	if text == "" {
		return nil
	}
	n, wrong := field.ParseInteger(text, least, most)
	if wrong != "" {
		q.Refuse(name, wrong+", not "+field.ShowInteger(text))
	}
	return &n
}

// Duration returns the value of a parameter in Go's duration syntax, such as 1m30s, or 0 if the
// parameter is missing. The value must be in the range from 0 to longest, inclusive.
func (q *Query) Duration(name string, longest time.Duration) time.Duration {
	text := q.Text(name)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > longest {
		q.Refuse(name,
			fmt.Sprintf("must be a duration such as 500ms or 5s, at most %s, not %s", longest, field.Quote(text)))
	}
	return d
}

// Bool returns the value of a parameter, or false if it is missing. The value must be true or false.
func (q *Query) Bool(name string) bool { return Choice(q, name, "true", "false") == "true" }

// OptionalBool is like [Query.Bool], but returns nil if the parameter is missing.
func (q *Query) OptionalBool(name string) *bool {
	text := Choice(q, name, "true", "false")
	if text == "" {
		return nil
	}
	return new(text == "true")
}

// IDs returns the values of a repeatable parameter as ids.
func (q *Query) IDs(name string) []int64 {
	return each(q, name, func(text string) (int64, string) {
		return field.ParseInteger(text, math.MinInt64, math.MaxInt64)
	})
}

// Choices is like [Choice], but for a repeatable parameter.
func Choices[T ~string](q *Query, name string, values ...T) []T {
	return each(q, name, func(text string) (T, string) {
		if !slices.Contains(values, T(text)) {
			return "", "must be " + field.Or(values)
		}
		return T(text), ""
	})
}

// maxRepeats is the maximum number of times that a repeatable parameter can be given.
const maxRepeats = 100

// each parses the values of a repeatable parameter. If one value looks like a list separated by
// commas, the problem explains how to send several values.
func each[T any](q *Query, name string, parse func(text string) (value T, wrong string)) []T {
	var parsed []T
	values := q.values(name)
	if len(values) > maxRepeats {
		q.Refuse(name, fmt.Sprintf("is given %d times; give it at most %d times", len(values), maxRepeats))
		return nil
	}
	for _, text := range values {
		value, wrong := parse(text)
		if wrong == "" {
			parsed = append(parsed, value)
			continue
		}
		message := wrong + ", not " + field.Quote(text)
		first, others, several := strings.Cut(text, ",")
		second, _, _ := strings.Cut(others, ",")
		first, second = strings.TrimSpace(first), strings.TrimSpace(second)
		_, wrongFirst := parse(first)
		_, wrongSecond := parse(second)
		if several && wrongFirst == "" && wrongSecond == "" {
			message += fmt.Sprintf("; repeat the parameter for several values: %s=%s&%s=%s", name, first, name, second)
		}
		q.Refuse(name, message)
	}
	return parsed
}

// Report adds a problem. Its Field must be the name of a parameter.
func (q *Query) Report(problem field.Problem) { q.problems.Add(problem) }

// givenOften returns the message for a parameter or header that was given more than once.
func givenOften(times int) string { return fmt.Sprintf("is given %d times; give it once", times) }
