package rest

import (
	"fmt"
	"net/http"

	"example.com/petstore/store/field"
)

// maxHeaderLines is how many lines of one header a request may have.
const maxHeaderLines = 100

// BoundHeaders returns the answer to a request that has too many lines of one header, or
// nil. Each fault rule that looks at the header would read all of them.
func BoundHeaders(header http.Header) error {
	for name, lines := range header {
		if len(lines) > maxHeaderLines {
			return Refuse("too_many_header_lines", fmt.Sprintf("the request has %d lines of the header %s: send at most %d", len(lines), field.Abbreviate(name), maxHeaderLines))
		}
	}
	return nil
}
