package field

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// KindName returns the name of a kind of JSON value, with an article if it needs one: "a string",
// "a number", "null".
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

// MustBeOneOf formats the message for a value that is not one of the allowed values.
func MustBeOneOf[T ~string](values []T, not string) string {
	return "must be " + Or(values) + ", not " + Quote(not)
}

// Or formats values as "a, b or c".
func Or[T ~string](values []T) string { return list(values, " or ") }

// And formats values as "a, b and c".
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

// Quote abbreviates text and puts it in quotes.
func Quote(text string) string { return strconv.Quote(Abbreviate(text)) }

// Truncate shortens text to at most limit bytes. It cuts off up to three more, so that the result
// ends with a whole character.
func Truncate[T string | []byte](text T, limit int) T {
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > limit-utf8.UTFMax+1 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Abbreviate returns the first 100 characters of text, followed by … if there are more.
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
