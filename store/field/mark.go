package field

import "bytes"

// WithoutMark removes a leading byte order mark, which some editors write. RFC 8259, section 8.1,
// allows parsers to ignore it.
func WithoutMark(document []byte) []byte {
	return bytes.TrimPrefix(document, []byte("\ufeff"))
}
