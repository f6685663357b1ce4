package field

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Fields are the fields that an object can have, by which a T is read. Names are
// case-sensitive; what is wrong with the fields is told in this order. Fields are
// made once and never changed.
type Fields[T any] []Field[T]

// Field is one field of an object.
type Field[T any] struct {
	name     string
	required bool
	read     func(to *T, v jsontext.Value, r *Reading) // nil: what it is does not count
	clear    func(to *T)                               // what it is where it is not there
}

// Required returns a field that must be there and not be null. at returns its place
// in a T.
func Required[T, V any](name string, at func(*T) *V, read Reader[V]) Field[T] {
	f := Optional(name, at, read, *new(V))
	f.required = true
	return f
}

// Optional returns a field that may be missing or null, which makes it unset.
func Optional[T, V any](name string, at func(*T) *V, read Reader[V], unset V) Field[T] {
	return Field[T]{
		name: name,
		read: func(to *T, v jsontext.Value, r *Reading) {
			if value, ok := read(v, r); ok {
				*at(to) = value
			}
		},
		clear: func(to *T) { *at(to) = unset },
	}
}

// Pointer returns an optional field that is nil where it is not there.
func Pointer[T, V any](name string, at func(*T) **V, read Reader[V]) Field[T] {
	return Optional(name, at, func(v jsontext.Value, r *Reading) (*V, bool) {
		value, ok := read(v, r)
		return &value, ok
	}, nil)
}

// Custom returns an optional field that a function reads, for what is too much to be
// kept in a T.
func Custom[T any](name string, read func(to *T, v jsontext.Value, r *Reading)) Field[T] {
	return Field[T]{name: name, read: read, clear: func(*T) {}}
}

// Demanded returns the field as one that must be there and not be null.
func (f Field[T]) Demanded() Field[T] {
	f.required = true
	return f
}

// Ignored returns a field that may be there and does not count.
func Ignored[T any](name string) Field[T] { return Field[T]{name: name} }

// Names returns the names of the fields.
func (f Fields[T]) Names() []string {
	names := make([]string, len(f))
	for i := range f {
		names[i] = f[i].name
	}
	return names
}

// Object is a JSON object whose text is read and whose fields are not, so that they
// can be read more than once.
type Object[T any] struct {
	fields  Fields[T]
	partial bool
	values  []jsontext.Value // of the fields; nil: not there

	repeated *string  // the first name found twice, or nil; unknown names beyond those below are not compared
	unknown  []string // members that are no fields, as many as a reading stops at
}

// Partial makes o a part of an object: a field that is not there stays as it is.
func (o *Object[T]) Partial() { o.partial = true }

// Has reports whether the field of the name is there and not null.
func (o *Object[T]) Has(name string) bool {
	v := o.Value(name)
	return v != nil && v.Kind() != 'n'
}

// Value returns the value of the field of the name, nil where it is not there.
func (o *Object[T]) Value(name string) jsontext.Value { return o.values[o.fields.index([]byte(name))] }

func (f Fields[T]) index(name []byte) int {
	for i := range f {
		if f[i].name == string(name) {
			return i
		}
	}
	return -1
}

// Scan reads the text of an object, at whose { the decoder is. What it returns is
// good for as long as the decoder's buffer is not changed. The error is the decoder's.
func (f Fields[T]) Scan(dec *jsontext.Decoder) (*Object[T], error) {
	o := &Object[T]{fields: f, values: make([]jsontext.Value, len(f))}
	return o, o.scan(dec)
}

// scan is Scan for an object that was used before.
func (o *Object[T]) scan(dec *jsontext.Decoder) error {
	clear(o.values)
	o.repeated, o.unknown = nil, o.unknown[:0]
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		if dec.PeekKind() != '"' {
			_, err := dec.ReadToken() // which says that a name must be a string
			return err
		}
		quoted, err := dec.ReadValue()
		if err != nil {
			return err
		}
		name := quoted[1 : len(quoted)-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name, _ = jsontext.AppendUnquote(nil, quoted) // the decoder has checked it
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

// Read reads the fields into a T, and adds what is wrong with them.
func (o *Object[T]) Read(to *T, r *Reading) {
	if o.repeated != nil {
		r.Within(*o.repeated, (*Reading).repeat)
	}
	for i := range o.fields {
		f, v := &o.fields[i], o.values[i]
		if f.read == nil {
			continue
		}
		r.enter(Step{Name: f.name})
		switch {
		case v == nil && o.partial:
		case v == nil && f.required:
			r.Wrong("is required")
		case v == nil:
			f.clear(to)
		case v.Kind() == 'n' && f.required:
			r.Wrong("must not be null")
		case v.Kind() == 'n':
			f.clear(to)
		default:
			f.read(to, v, r)
		}
		r.leave()
	}
	if r.Strict {
		o.refuseUnknown(r)
	}
}

func (o *Object[T]) refuseUnknown(r *Reading) {
	names := o.fields.Names()
	for _, name := range o.unknown {
		r.enter(Step{Name: name})
		r.Wrong("%s", Unknown("field", name, names))
		r.leave()
	}
}
