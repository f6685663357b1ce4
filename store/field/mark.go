package field

import "bytes"

// WithoutMark removes the byte order mark that some editors write at the start of a file. RFC 8259,
// section 8.1, allows a parser to ignore it.
func WithoutMark(document []byte) []byte {
	return bytes.TrimPrefix(document, []byte("\ufeff"))
}
