package rest

import (
	"fmt"
	"net/http"

	"example.com/petstore/store/field"
)

// maxHeaderLines is the most lines of one header in a request.
const maxHeaderLines = 100

// BoundHeaders returns the response to a request with too many lines of one header, or nil. Each
// fault rule that matches the header would read all of them.
func BoundHeaders(header http.Header) error {
	for name, lines := range header {
		if len(lines) > maxHeaderLines {
			return Refuse("too_many_header_lines", fmt.Sprintf("the request has %d lines of the header %s: send at most %d", len(lines), field.Abbreviate(name), maxHeaderLines))
		}
	}
	return nil
}
