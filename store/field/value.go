package field

import (
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// The readers of a JSON value return what it is or, in wrong, what it must be; wrong
// is empty where nothing is.

// String reads a string.
func String(v jsontext.Value) (text, wrong string) {
	if v.Kind() != '"' {
		return "", "must be a string, not " + KindName(v.Kind())
	}
	unquoted, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return "", "must be a string of valid Unicode"
	}
	return string(unquoted), ""
}

// Text reads a string of shortest to longest code points.
func Text(v jsontext.Value, shortest, longest int) (text, wrong string) {
	text, wrong = String(v)
	if n := utf8.RuneCountInString(text); wrong == "" && (n < shortest || n > longest) {
		return "", fmt.Sprintf("must be %d to %d characters long, not %d", shortest, longest, n)
	}
	return text, wrong
}

// Integer reads an integer from least to most.
func Integer(v jsontext.Value, least, most int64) (n int64, wrong string) {
	if v.Kind() != '0' {
		return 0, "must be an integer, not " + KindName(v.Kind())
	}
	text := string(v)
	n, wrong = ParseInteger(text)
	switch {
	case wrong == "" && least <= n && n <= most:
		return n, ""
	case isInteger(text) && most < math.MaxInt64:
		wrong = fmt.Sprintf("must be from %d to %d", least, most)
	case wrong == "":
		wrong = fmt.Sprintf("must be at least %d", least)
	}
	return 0, wrong + ", not " + Abbreviate(text)
}

// Boolean reads true or false.
func Boolean(v jsontext.Value) (value bool, wrong string) {
	if kind := v.Kind(); kind != 't' && kind != 'f' {
		return false, "must be true or false, not " + KindName(kind)
	}
	return v.Kind() == 't', ""
}

// OneOf reads one of the values.
func OneOf[T ~string](v jsontext.Value, values []T) (value T, wrong string) {
	text, wrong := String(v)
	if wrong == "" && !slices.Contains(values, T(text)) {
		return "", MustBeOneOf(values, text)
	}
	return T(text), wrong
}

// DateTime reads a date-time, see [ParseDateTime], and returns its text and its time.
func DateTime(v jsontext.Value) (text string, at time.Time, wrong string) {
	text, wrong = String(v)
	if wrong != "" {
		return "", time.Time{}, wrong
	}
	at, ok := ParseDateTime(text)
	if !ok {
		return "", time.Time{}, "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339), not " + Quote(text)
	}
	return text, at, ""
}
