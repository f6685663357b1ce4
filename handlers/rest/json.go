package rest

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// parse reads a body that must be one JSON value of the kind, an object or an array. The error is a
// 400 with line and column.
func parse(body []byte, kind jsontext.Kind, read func(*jsontext.Decoder) error) error {
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	if start == len(body) {
		_, what, _ := strings.Cut(field.KindName(kind), " ")
		return invalidJSON(&field.SyntaxError{At: field.PositionAt(body, start), Message: "the body is empty; send a JSON " + what})
	}
	// The decoder's defaults are the rules: no duplicate names in an object (RFC 8259, section 4,
	// leaves that open) and no invalid UTF-8.
	dec := jsontext.NewDecoder(bytes.NewBuffer(body)) // reads a Buffer in place, so values stay valid
	is := dec.PeekKind()
	if is != kind {
		read = (*jsontext.Decoder).SkipValue
	}
	syntax := field.ReadOne(body, dec, read)
	if syntax == nil && is != kind {
		syntax = &field.SyntaxError{At: field.PositionAt(body, start), Message: "the body is " + field.KindName(is) + "; send " + field.KindName(kind)}
	}
	if syntax == nil {
		return nil
	}
	return invalidJSON(syntax)
}

func invalidJSON(err *field.SyntaxError) error { return Refuse("invalid_json", err.Error()) }
