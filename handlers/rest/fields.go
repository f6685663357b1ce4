package rest

import (
	"fmt"
	"math"

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
		text, fault := field.Text(v, shortest, longest)
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
		n, fault := field.Integer(v, least, math.MaxInt64)
		if fault == "" {
			*to = n
		}
		return fault
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
		text, fault := field.Text(v, 0, longest)
		if fault == "" {
			*to = &text
		}
		return fault
	})
}

// Bool reads a boolean. An optional one that is not there becomes false.
func (o *Object) Bool(name string, to *bool, required Required) {
	o.read(name, required, func() { *to = false }, func(v jsontext.Value) string {
		value, fault := field.Boolean(v)
		if fault == "" {
			*to = value
		}
		return fault
	})
}

// Time reads a date-time of RFC 3339, section 5.6, and keeps its text as it is.
// An optional one that is not there becomes empty.
func (o *Object) Time(name string, to *string, required Required) {
	o.read(name, required, func() { *to = "" }, func(v jsontext.Value) string {
		text, _, fault := field.DateTime(v)
		if fault == "" {
			*to = text
		}
		return fault
	})
}

// Enum reads one of the values. An optional one that is not there becomes unset.
func Enum[T ~string](o *Object, name string, to *T, required Required, unset T, values []T) {
	o.read(name, required, func() { *to = unset }, func(v jsontext.Value) string {
		value, fault := field.OneOf(v, values)
		if fault == "" {
			*to = value
		}
		return fault
	})
}

// SameID reads a read-only id, which must be the path's where it is there.
func (o *Object) SameID(name string, path int64) {
	m := o.find(name)
	if m == nil || m.value.Kind() == 'n' {
		return
	}
	if id, fault := field.Integer(m.value, math.MinInt64, math.MaxInt64); fault != "" {
		o.fault(name, fault)
	} else if id != path {
		o.fault(name, fmt.Sprintf("is %d, but the path names %d; leave it out, since an id never changes", id, path))
	}
}
