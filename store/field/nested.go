package field

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Nested returns a Reader of objects with the given fields.
func Nested[T any](fields Fields[T]) Reader[T] {
	return func(v jsontext.Value, r *Reading) (value T, ok bool) {
		return value, fields.Read(&value, v, r)
	}
}

// Read reads an object into *to and reports problems to r. It reports whether v is an object.
func (f Fields[T]) Read(to *T, v jsontext.Value, r *Reading) bool {
	if !IsKind(v, '{', r) {
		return false
	}
	o, err := f.Scan(NewDecoder(v))
	must(err)
	o.Read(to, r)
	return true
}

// Each reads an array of objects with the given fields. It calls found for each element; ok is true
// if the element has no problems. If an element is not an object, Each reports a problem, and
// *element is the zero T. Each stops when r.More becomes true. A problem that found reports is
// located at that element. *element is reused for the next call.
func Each[T any](fields Fields[T], v jsontext.Value, r *Reading, found func(element *T, ok bool)) {
	if !IsKind(v, '[', r) {
		return
	}
	dec := NewDecoder(v)
	_, err := dec.ReadToken()
	must(err)
	o, element := &Object[T]{fields: fields, values: make([]jsontext.Value, len(fields))}, new(T)
	for i := 0; dec.PeekKind() != ']' && !r.More; i++ {
		r.enter(Step{Index: i, Element: true})
		*element = *new(T)
		before := len(r.Problems)
		if kind := dec.PeekKind(); kind == '{' {
			must(o.scan(dec))
			o.Read(element, r)
		} else {
			must(dec.SkipValue())
			r.Wrong("must be an object, not %s", KindName(kind))
		}
		found(element, len(r.Problems) == before && !r.More)
		r.leave()
	}
}

// EachValue calls read for each element of an array, until r.More is true. If v is not an array, it
// reports a problem to r.
func EachValue(v jsontext.Value, r *Reading, read func(v jsontext.Value)) {
	if !IsKind(v, '[', r) {
		return
	}
	dec := NewDecoder(v)
	_, err := dec.ReadToken()
	must(err)
	for i := 0; dec.PeekKind() != ']' && !r.More; i++ {
		value, err := dec.ReadValue()
		must(err)
		r.enter(Step{Index: i, Element: true})
		read(value)
		r.leave()
	}
}

// EachField calls read for each member of an object, until r.More is true. It reports whether v is
// an object, and adds a problem to r if not.
func EachField(v jsontext.Value, r *Reading, read func(name string, v jsontext.Value)) bool {
	if !IsKind(v, '{', r) {
		return false
	}
	dec := NewDecoder(v)
	_, err := dec.ReadToken()
	must(err)
	seen := make(map[string]bool)
	for dec.PeekKind() != '}' && !r.More {
		token, err := dec.ReadToken()
		must(err)
		name := token.String()
		value, err := dec.ReadValue()
		must(err)
		r.Within(name, func(*Reading) {
			if seen[name] {
				r.repeat()
			}
			seen[name] = true
			read(name, value)
		})
	}
	return true
}

// Texts reads an object whose members are strings. The members may have any names. ok is true if v
// is an object, even if a member is not a string; texts then lacks that member.
func Texts(v jsontext.Value, r *Reading) (texts map[string]string, ok bool) {
	texts = make(map[string]string)
	ok = EachField(v, r, func(name string, v jsontext.Value) {
		if text, ok := AnyText[string](v, r); ok {
			texts[name] = text
		}
	})
	return texts, ok
}

// IsKind reports whether v is of the wanted kind, an object or an array. If not, it reports a
// problem to r.
func IsKind(v jsontext.Value, want jsontext.Kind, r *Reading) bool {
	is := v.Kind()
	if is != want {
		r.Wrong("must be %s, not %s", KindName(want), KindName(is))
	}
	return is == want
}

// NewDecoder returns a decoder that reads v without copying it. It does not check for duplicate
// names, because the check would keep every name of an object in memory. [Object] and [EachField]
// detect them instead.
func NewDecoder(v jsontext.Value) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(slices.Clip(v)), jsontext.AllowDuplicateNames(true))
}

// must panics if err is not nil, which cannot happen, because the input has been checked before.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("field: reading a checked text: %v", err))
	}
}
