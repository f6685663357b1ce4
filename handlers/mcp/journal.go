package mcp

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// maxSuccess is the maximum size, in bytes, of each listed body of a successful request.
const maxSuccess = 1 << 10

// found is the response of listRequests.
type found struct {
	Requests []journal.Entry `json:"requests"`
	Note     string          `json:"note,omitzero"` // added by the tool
	Others   jsontext.Value  `json:",embed"`
}

// requests is for tools that list requests. It truncates the bodies of successful requests and of
// their responses.
var requests = special{finish: func(_ *caller, _ values, result []byte) ([]byte, error) {
	var list found
	if err := json.Unmarshal(result, &list); err != nil {
		return nil, err
	}
	for i := range list.Requests {
		e := &list.Requests[i]
		if e.Status == 0 || e.Status >= 400 {
			continue
		}
		cut := shorten(&e.Body, &e.BodyTruncated)
		if e.Response != nil {
			cut = shorten(&e.Response.Body, &e.Response.BodyTruncated) || cut
		}
		if cut {
			list.Note = fmt.Sprintf(
				"bodies of requests that succeeded are truncated at %d bytes (bodyTruncated); get_request returns "+
					"one request whole", maxSuccess)
		}
	}
	return rest.Encode(&list)
}}

// shorten truncates a long body at a character boundary, and reports whether it truncated the body.
func shorten(body *string, truncated *bool) bool {
	if len(*body) <= maxSuccess {
		return false
	}
	*body, *truncated = field.Truncate(*body, maxSuccess), true
	return true
}

// oneRequest is for a tool that reads one request. The tool lists requests from the given id on,
// with a limit of one.
var oneRequest = special{
	own: []docs.Argument{needed("id",
		`{"type": "integer", "minimum": 1, "description": "The id of the request, as list_requests returns it."}`)},
	choose: func(_ *caller, given values) (string, error) {
		id, wrong := field.ParseInteger(given.text("id"), 1, math.MaxInt64)
		if wrong != "" {
			return "", errors.New("id must be the id of a request, such as 7")
		}
		delete(given, "id")
		given["since"], given["limit"] = jsontext.Value(strconv.FormatInt(id-1, 10)), jsontext.Value("1")
		return "listRequests", nil
	},
	finish: func(_ *caller, given values, result []byte) ([]byte, error) {
		var list found
		if err := json.Unmarshal(result, &list); err != nil {
			return nil, err
		}
		since, _ := field.ParseInteger(given.text("since"), 0, math.MaxInt64)
		if len(list.Requests) == 1 && list.Requests[0].ID == since+1 {
			return rest.Encode(&list.Requests[0])
		}
		return nil, fmt.Errorf("there is no request %d; list_requests lists those that the journal keeps", since+1)
	},
}
