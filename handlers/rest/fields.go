package rest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// Required says whether a field must be there.
type Required bool

// Whether a field must be there.
const (
	Must Required = true
	May  Required = false
)

// read finds the field and hands its value to decode. A missing required field
// is a fault, except in a merge patch, where it stays as it is; so is a null one
// always. A null optional field is cleared, which is what a missing one is in a
// body that is not a patch.
func (o *Object) read(name string, required Required, clear func(), decode func(jsontext.Value) string) {
	m := o.find(name)
	switch {
	case m == nil && o.partial:
	case m == nil && bool(required):
		o.fault(name, "is required")
	case m == nil:
		clear()
	case m.value.Kind() == 'n' && bool(required):
		o.fault(name, "must not be null")
	case m.value.Kind() == 'n':
		clear()
	default:
		if fault := decode(m.value); fault != "" {
			o.fault(name, fault)
		}
	}
}

// String reads a string of shortest to longest code points. An optional one that
// is not there becomes unset.
func (o *Object) String(name string, to *string, required Required, unset string, shortest, longest int) {
	o.read(name, required, func() { *to = unset }, func(v jsontext.Value) string {
		text, fault := boundedString(v, shortest, longest)
		if fault == "" {
			*to = text
		}
		return fault
	})
}

// Int reads an integer of at least least. An optional one that is not there
// becomes unset.
func (o *Object) Int(name string, to *int64, required Required, unset, least int64) {
	o.read(name, required, func() { *to = unset }, func(v jsontext.Value) string {
		n, fault := intOf(v)
		if fault != "" {
			return fault
		}
		if n < least {
			return fmt.Sprintf("must be at least %d, not %d", least, n)
		}
		*to = n
		return ""
	})
}

// AnyInt reads an integer without a bound of its own, such as a reference.
func (o *Object) AnyInt(name string, to *int64, required Required, unset int64) {
	o.Int(name, to, required, unset, math.MinInt64)
}

// OptionalString reads a string of at most longest code points. One that is not
// there becomes nil, which is another value than the empty string.
func (o *Object) OptionalString(name string, to **string, longest int) {
	o.read(name, May, func() { *to = nil }, func(v jsontext.Value) string {
		text, fault := boundedString(v, 0, longest)
		if fault == "" {
			*to = &text
		}
		return fault
	})
}

// Bool reads a boolean. An optional one that is not there becomes false.
func (o *Object) Bool(name string, to *bool, required Required) {
	o.read(name, required, func() { *to = false }, func(v jsontext.Value) string {
		switch v.Kind() {
		case 't', 'f':
			*to = v.Kind() == 't'
			return ""
		}
		return "must be true or false, not " + kindName(v.Kind())
	})
}

// Time reads a date-time of RFC 3339, section 5.6, and keeps its text as it is.
// An optional one that is not there becomes empty.
func (o *Object) Time(name string, to *string, required Required) {
	o.read(name, required, func() { *to = "" }, func(v jsontext.Value) string {
		text, fault := stringOf(v)
		if fault != "" {
			return fault
		}
		if _, ok := field.ParseDateTime(text); !ok {
			return "must be a date and time such as 2026-01-31T09:30:00Z (RFC 3339), not " + quote(text)
		}
		*to = text
		return ""
	})
}

// Enum reads one of the values. An optional one that is not there becomes unset.
func Enum[T ~string](o *Object, name string, to *T, required Required, unset T, values []T) {
	o.read(name, required, func() { *to = unset }, func(v jsontext.Value) string {
		text, fault := stringOf(v)
		if fault != "" {
			return fault
		}
		for _, value := range values {
			if text == string(value) {
				*to = value
				return ""
			}
		}
		return "must be " + oneOf(values) + ", not " + quote(text)
	})
}

// SameID reads a read-only id, which must be the path's where it is there.
func (o *Object) SameID(name string, path int64) {
	m := o.find(name)
	if m == nil || m.value.Kind() == 'n' {
		return
	}
	if id, fault := intOf(m.value); fault != "" {
		o.fault(name, fault)
	} else if id != path {
		o.fault(name, fmt.Sprintf("is %d, but the path names %d; leave it out, since an id never changes", id, path))
	}
}

func boundedString(v jsontext.Value, shortest, longest int) (text, fault string) {
	text, fault = stringOf(v)
	if fault != "" {
		return "", fault
	}
	if n := utf8.RuneCountInString(text); n < shortest || n > longest {
		return "", fmt.Sprintf("must be %d to %d characters long, not %d", shortest, longest, n)
	}
	return text, ""
}

func stringOf(v jsontext.Value) (text, fault string) {
	if v.Kind() != '"' {
		return "", "must be a string, not " + kindName(v.Kind())
	}
	decoded, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return "", "must be a string of valid Unicode"
	}
	return string(decoded), ""
}

func intOf(v jsontext.Value) (n int64, fault string) {
	if v.Kind() != '0' {
		return 0, "must be an integer, not " + kindName(v.Kind())
	}
	n, fault = field.ParseInteger(string(v))
	if fault != "" {
		fault += ", not " + abbreviate(string(v))
	}
	return n, fault
}

// quote quotes what was sent, and keeps it short.
func quote(text string) string { return strconv.Quote(abbreviate(text)) }

// abbreviate keeps an error's text short, whatever was sent.
func abbreviate(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// MustBeOneOf says that a value must be one of others.
func MustBeOneOf[T ~string](values []T, not string) string {
	return "must be " + oneOf(values) + ", not " + quote(not)
}

// oneOf lists values for a person: a, b or c.
func oneOf[T ~string](values []T) string {
	var b strings.Builder
	for i, value := range values {
		switch {
		case i == 0:
		case i == len(values)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(value))
	}
	return b.String()
}
