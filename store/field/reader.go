package field

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Reader is a function that converts a JSON value other than null to a V. If the value is invalid,
// it reports a problem to r and returns false.
type Reader[V any] func(v jsontext.Value, r *Reading) (value V, ok bool)

// AnyText reads a string.
func AnyText[V ~string](v jsontext.Value, r *Reading) (text V, ok bool) {
	kind := v.Kind()
	if kind != '"' {
		hint := ""
		if kind == '0' || kind == 't' || kind == 'f' {
			hint = r.Unquoted
		}
		r.Wrong("must be a string, not %s%s", KindName(kind), hint)
		return "", false
	}
	var short [64]byte // long enough for most strings
	unquoted, err := jsontext.AppendUnquote(short[:0], v)
	if err != nil {
		r.Wrong(notUnicode)
	}
	return V(unquoted), err == nil
}

// Text returns a Reader of strings whose length in code points is from shortest to longest.
func Text(shortest, longest int) Reader[string] {
	return func(v jsontext.Value, r *Reading) (string, bool) {
		text, ok := AnyText[string](v, r)
		if wrong := CheckText(text, shortest, longest); ok && wrong != "" {
			r.Wrong("%s", wrong)
			return "", false
		}
		return text, ok
	}
}

// CheckText checks that text is valid Unicode and that its length in code points is from shortest
// to longest. It returns the message of the problem, or "" if there is none.
func CheckText(text string, shortest, longest int) string {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text):
		return notUnicode
	case n < shortest || n > longest:
		return fmt.Sprintf("must be %d to %d characters long, not %d", shortest, longest, n)
	}
	return ""
}

const notUnicode = "must be a string of valid Unicode"

// OneOf returns a Reader of strings that must be one of the values.
func OneOf[V ~string](values []V) Reader[V] {
	return func(v jsontext.Value, r *Reading) (V, bool) {
		text, ok := AnyText[V](v, r)
		if ok && !slices.Contains(values, text) {
			r.Wrong("%s", MustBeOneOf(values, string(text)))
			return "", false
		}
		return text, ok
	}
}

// DateTime reads a date-time (see [ParseDateTime]) and returns the string unchanged.
func DateTime(v jsontext.Value, r *Reading) (text string, ok bool) {
	text, _, ok = dateTime(v, r)
	return text, ok
}

// Time reads a date-time and returns it in UTC. The year in UTC must have four digits, so that the
// time can be written as a date-time again.
func Time(v jsontext.Value, r *Reading) (at time.Time, ok bool) {
	_, at, ok = dateTime(v, r)
	at = at.UTC()
	if year := at.Year(); ok && (year < 0 || year > 9999) {
		r.Wrong("must be in the years 0000 to 9999 in UTC")
		return time.Time{}, false
	}
	return at, ok
}

func dateTime(v jsontext.Value, r *Reading) (text string, at time.Time, ok bool) {
	text, ok = AnyText[string](v, r)
	if !ok {
		return "", at, false
	}
	at, ok = ParseDateTime(text)
	if !ok {
		r.Wrong("must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339), not %s", Quote(text))
	}
	return text, at, ok
}

// AnyInteger reads any 64-bit integer.
func AnyInteger(v jsontext.Value, r *Reading) (n int64, ok bool) {
	return Integer(math.MinInt64, math.MaxInt64)(v, r)
}

// Integer returns a Reader of integers from low to high.
func Integer(low, high int64) Reader[int64] {
	return func(v jsontext.Value, r *Reading) (n int64, ok bool) {
		if v.Kind() != '0' {
			r.Wrong("must be an integer, not %s%s", KindName(v.Kind()), quoted(v, isInteger))
			return 0, false
		}
		n, wrong := ParseInteger(string(v), low, high)
		if wrong != "" {
			r.Wrong("%s, not %s", wrong, Abbreviate(string(v)))
		}
		return n, wrong == ""
	}
}

// MaxID is the largest id of a record. JSON parsers that store numbers as float64 read integers up
// to 2^53-1 exactly (RFC 8259, section 6).
const MaxID = 1<<53 - 1

// ID reads the id of a record.
func ID(v jsontext.Value, r *Reading) (int64, bool) { return Integer(1, MaxID)(v, r) }

// Reference reads the id of another record. In a request the id may be any integer, because an
// invalid id is later reported as the id of a missing record.
func Reference(v jsontext.Value, r *Reading) (int64, bool) {
	if r.File {
		return ID(v, r)
	}
	return AnyInteger(v, r)
}

// Int reads a Go int.
func Int(v jsontext.Value, r *Reading) (int, bool) {
	n, ok := Integer(math.MinInt, math.MaxInt)(v, r)
	return int(n), ok
}

// Unsigned reads a 64-bit unsigned integer.
func Unsigned(v jsontext.Value, r *Reading) (n uint64, ok bool) {
	text := string(v)
	if !isInteger(text) {
		_, ok := AnyInteger(v, r) // adds the problem
		return 0, ok
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		r.Wrong("must be from 0 to %d, not %s", uint64(math.MaxUint64), Abbreviate(text))
	}
	return n, err == nil
}

// Number reads a number in the range of a float64.
func Number(v jsontext.Value, r *Reading) (n float64, ok bool) {
	if v.Kind() != '0' {
		r.Wrong("must be a number, not %s%s", KindName(v.Kind()), quoted(v, isNumber))
		return 0, false
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		r.Wrong("must be from %g to %g, not %s", -math.MaxFloat64, math.MaxFloat64, Abbreviate(string(v)))
	}
	return n, err == nil
}

// Boolean reads true or false.
func Boolean(v jsontext.Value, r *Reading) (value, ok bool) {
	kind := v.Kind()
	ok = kind == 't' || kind == 'f'
	if !ok {
		r.Wrong("must be true or false, not %s%s", KindName(kind), quoted(v, isBoolean))
	}
	return kind == 't', ok
}

func isNumber(text string) bool {
	v := jsontext.Value(text)
	return v.Kind() == '0' && v.IsValid()
}

func isBoolean(text string) bool { return text == "true" || text == "false" }

// quoted returns advice to remove the quotes if v is a string whose content would be valid without
// them, and "" otherwise.
func quoted(v jsontext.Value, is func(text string) bool) string {
	if v.Kind() != '"' || !is(string(v[1:len(v)-1])) {
		return ""
	}
	return "; leave out the quotes"
}
