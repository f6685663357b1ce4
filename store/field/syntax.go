package field

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError reports that an input is not exactly one valid JSON value of the wanted kind.
type SyntaxError struct {
	At      Position
	Message string
}

// Error returns the position and the message.
func (e *SyntaxError) Error() string { return e.At.String() + ": " + e.Message }

const space = " \t\r\n" // RFC 8259, section 2

// WithoutMark removes a leading byte order mark, which some editors write. RFC 8259, section 8.1,
// allows parsers to ignore it.
func WithoutMark(document []byte) []byte {
	return bytes.TrimPrefix(document, []byte("\ufeff"))
}

// ReadOne calls read to read the only JSON value in text. dec must be at the start of text.
// Anything but white space after the value is an error. read must return only errors from dec.
func ReadOne(text []byte, dec *jsontext.Decoder, read func(*jsontext.Decoder) error) *SyntaxError {
	kind := dec.PeekKind()
	if err := read(dec); err != nil {
		// Reading the value as a whole gives better messages than reading it token by token.
		if _, whole := NewDecoder(text).ReadValue(); whole != nil {
			err = whole
		}
		return syntaxError(text, err)
	}
	if rest := bytes.TrimLeft(text[dec.InputOffset():], space); len(rest) > 0 {
		name := KindName(kind)
		what := name[strings.IndexByte(name, ' ')+1:] // without the article, which null lacks
		return &SyntaxError{PositionAt(text, len(text)-len(rest)),
			"there is more text after the " + what + "; remove it"}
	}
	return nil
}

// syntaxError converts an error from decoding text.
func syntaxError(text []byte, err error) *SyntaxError {
	offset, pointer := len(text), jsontext.Pointer("")
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, pointer, err = int(syntactic.ByteOffset), syntactic.JSONPointer, syntactic.Err
	}
	message := strings.TrimPrefix(err.Error(), "jsontext: ")
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		message = Twice(pointer.LastToken())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		message = "the text ends in the middle of a value"
	case offset < len(text) && strings.IndexByte("}]", text[offset]) >= 0 &&
		bytes.HasSuffix(bytes.TrimRight(text[:offset], space), []byte(",")):
		message = fmt.Sprintf("there is a comma before the %c; remove it", text[offset])
	}
	return &SyntaxError{PositionAt(text, min(offset, len(text))), message}
}

// Twice formats the message for a duplicate name in an object. Such an object is rejected, because
// RFC 8259, section 4, does not define what it means.
func Twice(name string) string { return "the name " + Quote(name) + " appears twice in one object" }

// Position is a position in a text. Lines and columns count from 1; columns are in code points.
// Column 0 means the whole line.
type Position struct{ Line, Column int }

// PositionAt returns the position of the byte at offset in text.
func PositionAt(text []byte, offset int) Position {
	before := text[:offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return Position{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(line) + 1}
}

// String formats the position for messages, as in "line 3, column 7".
func (p Position) String() string {
	if p.Column == 0 {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("line %d, column %d", p.Line, p.Column)
}
