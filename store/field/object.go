package field

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Fields describes the fields of an object that is read into a T. Names are case-sensitive.
// Problems are reported in the order of the fields. A Fields value must not be changed once it is
// in use.
type Fields[T any] []Field[T]

// Field describes a field of an object.
type Field[T any] struct {
	name     string
	required bool
	read     func(to *T, v jsontext.Value, r *Reading) // nil means that the value is ignored
	clear    func(to *T)                               // sets the default
}

// Required returns a field that must be present and not null. at returns a pointer to the place in
// a T where the field's value is stored.
func Required[T, V any](name string, at func(*T) *V, read Reader[V]) Field[T] {
	f := Optional(name, at, read, *new(V))
	f.required = true
	return f
}

// Optional is like [Required], but the field may be missing or null. It then gets the value
// fallback.
func Optional[T, V any](name string, at func(*T) *V, read Reader[V], fallback V) Field[T] {
	return Field[T]{
		name: name,
		read: func(to *T, v jsontext.Value, r *Reading) {
			if value, ok := read(v, r); ok {
				*at(to) = value
			}
		},
		clear: func(to *T) { *at(to) = fallback },
	}
}

// Pointer returns an optional field whose value is nil if the field is missing or null.
func Pointer[T, V any](name string, at func(*T) **V, read Reader[V]) Field[T] {
	return Optional(name, at, func(v jsontext.Value, r *Reading) (*V, bool) {
		value, ok := read(v, r)
		return &value, ok
	}, nil)
}

// Custom returns an optional field whose value need not be kept in a T: read validates the value and
// stores it anywhere. read is not called if the field is missing or null.
func Custom[T any](name string, read func(to *T, v jsontext.Value, r *Reading)) Field[T] {
	return Field[T]{name: name, read: read, clear: func(*T) {}}
}

// Demanded returns a copy of f that must be present and not null.
func (f Field[T]) Demanded() Field[T] {
	f.required = true
	return f
}

// Ignored returns a field that is allowed but has no effect.
func Ignored[T any](name string) Field[T] { return Field[T]{name: name} }

// Names returns the names of the fields.
func (f Fields[T]) Names() []string {
	names := make([]string, len(f))
	for i := range f {
		names[i] = f[i].name
	}
	return names
}

// Object is a JSON object whose members have been found but not yet validated.
type Object[T any] struct {
	fields  Fields[T]
	partial bool
	values  []jsontext.Value // in the order of fields; nil for a missing field

	repeated *string  // the first duplicate name, or nil
	unknown  []string // the first unknown names, at most MaxProblems+1
}

// Partial makes Read accept missing fields, even required ones, and leave their values unchanged.
func (o *Object[T]) Partial() { o.partial = true }

// Has reports whether the named field is present and not null.
func (o *Object[T]) Has(name string) bool {
	v := o.Value(name)
	return v != nil && v.Kind() != 'n'
}

// Value returns the JSON value of the named field, or nil if it is missing. It panics if o's Fields
// have no such name.
func (o *Object[T]) Value(name string) jsontext.Value { return o.values[o.fields.index([]byte(name))] }

func (f Fields[T]) index(name []byte) int {
	for i := range f {
		if f[i].name == string(name) {
			return i
		}
	}
	return -1
}

// Scan scans the next object from dec. The result is valid until dec's buffer changes. The error
// comes from dec.
func (f Fields[T]) Scan(dec *jsontext.Decoder) (*Object[T], error) {
	o := &Object[T]{fields: f, values: make([]jsontext.Value, len(f))}
	return o, o.scan(dec)
}

// scan is like Scan, but reuses o.
func (o *Object[T]) scan(dec *jsontext.Decoder) error {
	clear(o.values)
	o.repeated, o.unknown = nil, o.unknown[:0]
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		quoted, err := dec.ReadValue() // returns an error if the name is not a string
		if err != nil {
			return err
		}
		name := quoted[1 : len(quoted)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name, _ = jsontext.AppendUnquote(nil, quoted) // cannot fail: the decoder has checked it
		}
		i := o.fields.index(name)
		known := i >= 0 && o.values[i] != nil || i < 0 && slices.Contains(o.unknown, string(name))
		switch {
		case known && o.repeated == nil:
			o.repeated = new(string(name))
		case !known && i < 0 && len(o.unknown) <= MaxProblems:
			o.unknown = append(o.unknown, string(name))
		}
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if i >= 0 && !known {
			o.values[i] = value
		}
	}
	_, err := dec.ReadToken()
	return err
}

// Read reads the fields into *to and reports problems to r.
func (o *Object[T]) Read(to *T, r *Reading) {
	if o.repeated != nil {
		r.Within(*o.repeated, (*Reading).repeat)
	}
	for i := range o.fields {
		f, v := &o.fields[i], o.values[i]
		null := v != nil && v.Kind() == 'n'
		r.enter(Step{Name: f.name})
		switch {
		case f.read == nil, v == nil && o.partial:
		case v == nil && f.required:
			r.Wrong("is required")
		case null && f.required:
			r.Wrong("must not be null")
		case v == nil, null:
			f.clear(to)
		default:
			f.read(to, v, r)
		}
		r.leave()
	}
	if r.Strict {
		for _, name := range o.unknown {
			r.Within(name, func(r *Reading) { r.Wrong("%s", Unknown("field", name, o.fields.Names())) })
		}
	}
}
