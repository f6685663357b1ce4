package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// Object is a JSON object that a request sent, to be read field by field. The
// methods that read a field collect what is wrong with it; [Object.Err] reports
// all of it at once.
type Object struct {
	members []member
	partial bool // a merge patch: what is missing stays as it is
	strict  bool
	known   []string // with strict, the fields that were read
	faults  []Detail
}

type member struct {
	name  string
	value jsontext.Value
	known bool // whether a field of the name was read
}

// ReadObject returns the request's body as an object; as a merge patch when the
// method is PATCH. The error is a 415, a 413 or, unless the body is one JSON
// object, a 400 with line and column.
func (x *Exchange) ReadObject() (*Object, error) {
	body, err := x.Body()
	if err != nil {
		return nil, err
	}
	return x.ParseObject(body)
}

// ParseObject is ReadObject for a body that has been read.
func (x *Exchange) ParseObject(body []byte) (*Object, error) {
	o := &Object{
		members: make([]member, 0, 8),
		partial: x.R.Method == http.MethodPatch,
		strict:  x.Strict,
	}
	if err := o.parse(body); err != nil {
		return nil, err
	}
	return o, nil
}

func (o *Object) parse(body []byte) error {
	if len(bytes.TrimLeft(body, " \t\r\n")) == 0 {
		return invalidJSON(body, int64(len(body)), "the body is empty; send a JSON object")
	}
	// The decoder's defaults are the rules: no name twice in one object at any
	// depth (RFC 8259, section 4, leaves that open) and no invalid UTF-8.
	decoder := jsontext.NewDecoder(bytes.NewBuffer(body)) // a Buffer is read in place, without a copy
	if kind := decoder.PeekKind(); kind != '{' && kind != 0 {
		start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
		if err := decoder.SkipValue(); err != nil {
			return syntaxError(body, err)
		}
		return invalidJSON(body, int64(start), "the body is "+field.KindName(kind)+"; send an object")
	}
	if _, err := decoder.ReadToken(); err != nil {
		return syntaxError(body, err)
	}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return syntaxError(body, err)
		}
		text := name.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return syntaxError(body, err)
		}
		// The decoder reads a bytes.Buffer in place, so values stay valid.
		o.members = append(o.members, member{name: text, value: value})
	}
	if _, err := decoder.ReadToken(); err != nil {
		return syntaxError(body, err)
	}
	if end := decoder.InputOffset(); len(bytes.TrimLeft(body[end:], " \t\r\n")) > 0 {
		rest := bytes.TrimLeft(body[end:], " \t\r\n")
		return invalidJSON(body, int64(len(body)-len(rest)), "there is more after the object; send one object alone")
	}
	return nil
}

// syntaxError turns the decoder's error into the answer.
func syntaxError(body []byte, err error) error {
	offset := int64(len(body))
	message := err.Error()
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.ByteOffset
		message = syntax.Err.Error()
		if errors.Is(err, jsontext.ErrDuplicateName) {
			message = fmt.Sprintf("the name %q stands twice in one object", syntax.JSONPointer.LastToken())
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		message = "the body ends in the middle of a value"
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the body ends in the middle of a value"
	}
	return invalidJSON(body, offset, strings.TrimPrefix(message, "jsontext: "))
}

// invalidJSON is the answer to a body that is not JSON or not an object, with the
// place by line and column, both from 1, columns in bytes.
func invalidJSON(body []byte, offset int64, message string) *Error {
	before := body[:min(offset, int64(len(body)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return Refuse("invalid_json", fmt.Sprintf("line %d, column %d: %s", line, column, message))
}

// find returns the member of the name, and notes that the field is known.
func (o *Object) find(name string) *member {
	if o.strict {
		o.known = append(o.known, name)
	}
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].known = true
			return &o.members[i]
		}
	}
	return nil
}

// fault notes that a field is at fault. Fields are told once, though a patch is
// read twice.
func (o *Object) fault(name, message string) {
	field := "/" + jsonPointerEscaper.Replace(name)
	for _, f := range o.faults {
		if f.Field == field {
			return
		}
	}
	o.faults = append(o.faults, Detail{Field: field, Message: message})
}

// jsonPointerEscaper writes a name as a JSON Pointer's token (RFC 6901, section 3).
var jsonPointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// Has reports whether the object has a member of the name that is not null.
func (o *Object) Has(name string) bool {
	m := o.find(name)
	return m != nil && m.value.Kind() != 'n'
}

// ReadOnly notes that fields are known, though what a request sends in them does
// not count.
func (o *Object) ReadOnly(names ...string) {
	for _, name := range names {
		o.find(name)
	}
}

// Refuse notes that a field is at fault for a reason that its value alone does not
// show. Of a field that has a fault already, that one is told.
func (o *Object) Refuse(name, message string) { o.fault(name, message) }

// Tell notes the details of another answer, so that this one tells of them too.
func (o *Object) Tell(err error) {
	for _, d := range AsError(err).Details {
		if !slices.ContainsFunc(o.faults, func(f Detail) bool { return f.Field == d.Field }) {
			o.faults = append(o.faults, d)
		}
	}
}

// Err returns nil or the answer that tells every fault found so far; with
// --strict, every member that no field was read for is one.
func (o *Object) Err() error {
	if o.strict {
		for _, m := range o.members {
			if !m.known {
				o.fault(m.name, field.Unknown("field", m.name, o.known))
			}
		}
	}
	if len(o.faults) == 0 {
		return nil
	}
	return invalidBody(o.faults)
}
