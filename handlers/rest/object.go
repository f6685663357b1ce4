package rest

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// parse reads a body that must be one JSON value of the given kind, an object or an array. The
// error is a 400 with the line and the column.
func parse(body []byte, kind jsontext.Kind, read func(*jsontext.Decoder) error) error {
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	if start == len(body) {
		_, what, _ := strings.Cut(field.KindName(kind), " ")
		return invalidJSON(&field.SyntaxError{At: field.PositionAt(body, start),
			Message: "the body is empty; send a JSON " + what})
	}
	// By default, the decoder rejects invalid UTF-8 and duplicate names in an object. RFC 8259,
	// section 4, only recommends unique names.
	dec := jsontext.NewDecoder(bytes.NewBuffer(body)) // the decoder reads a Buffer in place, so that values stay valid
	is := dec.PeekKind()
	if is != kind {
		read = (*jsontext.Decoder).SkipValue
	}
	syntax := field.ReadOne(body, dec, read)
	if syntax == nil && is != kind {
		syntax = &field.SyntaxError{At: field.PositionAt(body, start),
			Message: "the body is " + field.KindName(is) + "; send " + field.KindName(kind)}
	}
	if syntax == nil {
		return nil
	}
	return invalidJSON(syntax)
}

func invalidJSON(err *field.SyntaxError) error { return Refuse("invalid_json", err.Error()) }

// Object is a JSON object in a request. Its methods collect problems. [Object.Err] reports them in
// one response.
type Object[T any] struct {
	*field.Object[T]
	reading field.Reading
}

// ReadObject returns the request's body as an object with the given fields. The body of a PATCH is
// a merge patch. If the body is not one JSON object, the error is a 400 with the line and the
// column. The error may also come from [Exchange.Body].
func ReadObject[T any](x *Exchange, fields field.Fields[T]) (*Object[T], error) {
	body, err := x.Body()
	if err != nil {
		return nil, err
	}
	o, err := ParseObject(body, fields, x.Strict)
	if err == nil && x.R.Method == http.MethodPatch {
		o.Partial()
	}
	return o, err
}

// ParseObject parses text as an object with the given fields. If strict is set, unknown fields are
// problems. If text is not one JSON object, the error is a 400 with the line and the column.
func ParseObject[T any](text []byte, fields field.Fields[T], strict bool) (*Object[T], error) {
	o := &Object[T]{reading: field.Reading{Strict: strict}}
	err := parse(text, '{', func(dec *jsontext.Decoder) (err error) {
		o.Object, err = fields.Scan(dec)
		return err
	})
	return o, err
}

// Read reads the fields into *to.
func (o *Object[T]) Read(to *T) { o.Object.Read(to, &o.reading) }

// SameID checks the named read-only field, which holds the record's id. If the field is present, it
// must equal path, the id in the request's path.
func (o *Object[T]) SameID(name string, path int64) {
	if !o.Has(name) {
		return
	}
	o.reading.Within(name, func(r *field.Reading) {
		if id, ok := field.AnyInteger(o.Value(name), r); ok && id != path {
			r.Wrong("is %d, but the path has %d; leave it out, since an id never changes", id, path)
		}
	})
}

// Refuse adds a problem with a field, unless the field already has a problem. It is for problems
// that depend on more than the field's value.
func (o *Object[T]) Refuse(name, message string) {
	o.reading.AddUnlessKnown(field.Problem{Field: "/" + name, Message: message})
}

// AddDetails converts err to an error response and adds its details to the object's problems.
func (o *Object[T]) AddDetails(err error) {
	for _, detail := range AsError(err).Details {
		o.reading.AddUnlessKnown(detail)
	}
}

// Err returns an error response that describes the problems found so far, or nil if there are none.
func (o *Object[T]) Err() error { return refusalFor("validation_failed", &o.reading) }

// Read reads the request's body as an object with the given fields. The function check returns
// problems that depend on several fields; check may be nil.
//
// The error comes from [Exchange.Body], or is a 400 invalid_json with the line and the column, or a
// 400 validation_failed that names the wrong fields by their JSON Pointers.
func Read[T any](x *Exchange, fields field.Fields[T], check func(*T) field.Problems) (T, error) {
	o, err := ReadObject(x, fields)
	if err != nil {
		return *new(T), err
	}
	return o.Onto(*new(T), check)
}

// Onto reads the fields into a copy of value and returns the copy. The parameter check is that of
// [Read]. Fields that are missing from a PATCH keep their values. The error is a 400
// validation_failed. Onto does not change the object, so it can be called several times.
func (o Object[T]) Onto(value T, check func(*T) field.Problems) (T, error) {
	o.Read(&value)
	if check != nil {
		for _, problem := range check(&value) {
			o.reading.AddUnlessKnown(problem)
		}
	}
	return value, o.Err()
}

// ReadOptional is like [Read], but returns nil if the body is missing or empty.
func ReadOptional[T any](x *Exchange, fields field.Fields[T], check func(*T) field.Problems) (*T, error) {
	body, err := x.Body()
	if err != nil || body == nil {
		return nil, err
	}
	value, err := Read(x, fields, check)
	return &value, err
}

// ReadArray is like [Read], but for an array of objects, and check must not be nil. ReadArray
// returns at most most+1 elements, so that the caller can detect and reject an array that has too
// many elements.
func ReadArray[T any](x *Exchange, fields field.Fields[T], most int, check func([]T) field.Problems) ([]T, error) {
	body, err := x.Body()
	if err != nil {
		return nil, err
	}
	if err := parse(body, '[', (*jsontext.Decoder).SkipValue); err != nil {
		return nil, err
	}
	reading := field.Reading{Strict: x.Strict}
	array := []T{}
	field.Each(fields, bytes.TrimSpace(body), &reading, func(element *T, _ bool) {
		if len(array) <= most {
			array = append(array, *element)
		}
	})
	for _, problem := range check(array) {
		reading.AddUnlessKnown(problem)
	}
	return array, refusalFor("validation_failed", &reading)
}
