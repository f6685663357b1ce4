package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/store/field"
)

// parse reads a body that must be one JSON value of the kind, an object or an array.
// The error is a 400 with line and column.
func parse(body []byte, kind jsontext.Kind, read func(*jsontext.Decoder) error) error {
	_, what, _ := strings.Cut(field.KindName(kind), " ")
	start := int64(len(body) - len(bytes.TrimLeft(body, " \t\r\n")))
	if start == int64(len(body)) {
		return invalidJSON(body, start, "the body is empty; send a JSON "+what)
	}
	// The decoder's defaults are the rules: no name twice in one object at any
	// depth (RFC 8259, section 4, leaves that open) and no invalid UTF-8.
	dec := jsontext.NewDecoder(bytes.NewBuffer(body)) // a Buffer is read in place, so values stay valid
	if is := dec.PeekKind(); is != kind && is != 0 {
		if err := dec.SkipValue(); err != nil {
			return syntaxError(body, err)
		}
		return invalidJSON(body, start, "the body is "+field.KindName(is)+"; send "+field.KindName(kind))
	}
	if err := read(dec); err != nil {
		return syntaxError(body, err)
	}
	if rest := bytes.TrimLeft(body[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return invalidJSON(body, int64(len(body)-len(rest)), fmt.Sprintf("there is more text after the %s; send only one %[1]s", what))
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
			message = "the name " + field.Quote(syntax.JSONPointer.LastToken()) + " appears twice in one object"
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		message = "the body ends in the middle of a value"
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the body ends in the middle of a value"
	}
	return invalidJSON(body, offset, strings.TrimPrefix(message, "jsontext: "))
}

// invalidJSON is the answer to a body that is not JSON, or not of the kind wanted,
// with the place by line and column, both from 1, columns in bytes.
func invalidJSON(body []byte, offset int64, message string) *Error {
	before := body[:min(offset, int64(len(body)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return Refuse("invalid_json", fmt.Sprintf("line %d, column %d: %s", line, column, message))
}
