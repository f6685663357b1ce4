package field

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// KindName says what a value is: a string, a number, null.
func KindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	case '{':
		return "an object"
	}
	return "not JSON"
}

// MustBeOneOf says that a value must be one of others.
func MustBeOneOf[T ~string](values []T, not string) string {
	return "must be " + Or(values) + ", not " + Quote(not)
}

// Or lists values for a person: a, b or c.
func Or[T ~string](values []T) string { return list(values, " or ") }

// And lists values for a person: a, b and c.
func And[T ~string](values []T) string { return list(values, " and ") }

func list[T ~string](values []T, last string) string {
	var b strings.Builder
	for i, value := range values {
		switch {
		case i == 0:
		case i == len(values)-1:
			b.WriteString(last)
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(value))
	}
	return b.String()
}

// Quote quotes what was sent, and keeps it short.
func Quote(text string) string { return strconv.Quote(Abbreviate(text)) }

// Abbreviate keeps what a message repeats short, whatever was sent: 100 characters at
// most, and a … for what is left out.
func Abbreviate(text string) string {
	left := 100
	for i := range text {
		if left == 0 {
			return text[:i] + "…"
		}
		left--
	}
	return text
}
