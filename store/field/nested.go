package field

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Nested reads an object by its fields.
func Nested[T any](fields Fields[T]) Reader[T] {
	return func(v jsontext.Value, r *Reading) (value T, ok bool) {
		if !isKind(v, '{', r) {
			return value, false
		}
		o, err := fields.Scan(decoder(v))
		must(err)
		o.Read(&value, r)
		return value, true
	}
}

// Array reads an array of objects by their fields. Those that have problems are in
// it too, so that each has its place, as far as it is read (see [MaxProblems]).
func Array[T any](fields Fields[T]) Reader[[]T] {
	return func(v jsontext.Value, r *Reading) ([]T, bool) {
		if !isKind(v, '[', r) {
			return nil, false
		}
		dec := decoder(v)
		_, err := dec.ReadToken()
		must(err)
		elements := []T{}
		o := &Object[T]{fields: fields, values: make([]jsontext.Value, len(fields))}
		for i := 0; dec.PeekKind() != ']' && !r.More; i++ {
			r.enter(Step{Index: i, Element: true})
			elements = append(elements, *new(T))
			if kind := dec.PeekKind(); kind == '{' {
				must(o.scan(dec))
				o.Read(&elements[i], r)
			} else {
				must(dec.SkipValue())
				r.Wrong("must be an object, not %s", KindName(kind))
			}
			r.leave()
		}
		return elements, true
	}
}

// Texts reads an object whose fields have any names and are strings.
func Texts(v jsontext.Value, r *Reading) (texts map[string]string, ok bool) {
	if !isKind(v, '{', r) {
		return nil, false
	}
	dec := decoder(v)
	_, err := dec.ReadToken()
	must(err)
	texts = make(map[string]string)
	for dec.PeekKind() != '}' && !r.More {
		token, err := dec.ReadToken()
		must(err)
		name := token.String()
		value, err := dec.ReadValue()
		must(err)
		r.Within(name, func(r *Reading) {
			if text, ok := AnyText[string](value, r); ok {
				texts[name] = text
			}
		})
	}
	return texts, true
}

// isKind reports whether the value is an object or an array, as is wanted, and adds
// the problem where it is not.
func isKind(v jsontext.Value, want jsontext.Kind, r *Reading) bool {
	is := v.Kind()
	if is != want {
		r.Wrong("must be %s, not %s", KindName(want), KindName(is))
	}
	return is == want
}

// decoder returns a decoder of a value that was checked, in place.
func decoder(v jsontext.Value) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(slices.Clip(v)), jsontext.AllowDuplicateNames(true))
}

// must panics: a text that was checked cannot fail.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("field: reading a checked text: %v", err))
	}
}
