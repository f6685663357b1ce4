package field

import "bytes"

// WithoutMark returns a document without the byte order mark that some editors begin a file
// with. RFC 8259, section 8.1, lets those who read JSON ignore one.
func WithoutMark(document []byte) []byte {
	return bytes.TrimPrefix(document, []byte("\ufeff"))
}
