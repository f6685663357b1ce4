package contracttest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// undescribed lists headers about the connection and the body, which the documents do not describe.
var undescribed = []string{"Connection", "Content-Encoding", "Content-Length", "Content-Type",
	"Cross-Origin-Resource-Policy", "Date"}

func checkOperation(r *http.Request, response *http.Response, body []byte) error {
	route, plain, err := FindOperation(r)
	if err != nil {
		return checkOutside(r, response)
	}
	status, injected := response.StatusCode, strings.Contains(strings.ToLower(strings.Join(r.Header["Prefer"], ",")),
		"code=")
	described := route.Operation.Responses.Status(status)
	if described == nil && injected {
		described = route.Operation.Responses.Default()
	}
	// The request was rejected before it reached the operation.
	if described == nil && status == http.StatusForbidden && IsAdmin(r.URL.Path) {
		return nil
	}
	if described == nil {
		return fmt.Errorf("status %d is not in the document of %s", status, route.Operation.OperationID)
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: plain, Route: route},
		Status:                 status,
		Header:                 response.Header,
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			ExcludeResponseBody:   r.Method == http.MethodHead || IsStream(response.Header),
		},
	}
	input.SetBodyBytes(body)
	return errors.Join(
		openapi3filter.ValidateResponse(r.Context(), input),
		checkHeaders(response.Header, described.Value),
		checkFields(described.Value, response.Header.Get("Content-Type"), body),
		checkLifecycle(response.Header, route.Operation),
	)
}

// checkHeaders returns an error if a header is not in the document or if a required header is
// missing. kin-openapi's validation skips responses with status 304 and allows undescribed headers.
func checkHeaders(header http.Header, described *openapi3.Response) error {
	known := make(map[string]bool)
	for name, ref := range described.Headers {
		name = http.CanonicalHeaderKey(name)
		known[name] = true
		if ref.Value.Required && header[name] == nil {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	for name := range header {
		if !known[name] && !slices.Contains(undescribed, name) {
			return fmt.Errorf("the header %s is not in the document", name)
		}
	}
	return nil
}

// checkLifecycle requires the lifecycle headers in every answer, including errors.
func checkLifecycle(header http.Header, operation *openapi3.Operation) error {
	for _, name := range []string{"Deprecation", "Sunset", "Warning"} {
		if operation.Deprecated != (header[name] != nil) {
			return fmt.Errorf("%s is %q, though deprecated is %t in the document", name, header[name],
				operation.Deprecated)
		}
	}
	if want, _ := operation.Extensions["x-stability"].(string); header.Get("X-Stability") != want {
		return fmt.Errorf("X-Stability is %q, but the document says %q", header.Get("X-Stability"), want)
	}
	return nil
}

// ofPages lists the statuses that pages and documents may have. 308 adds a trailing slash, 400
// reports an invalid sandbox name or, in strict mode, an unknown parameter, and 413 a text that is
// too long for a QR code.
var ofPages = []int{http.StatusOK, http.StatusNotModified, http.StatusPermanentRedirect, http.StatusBadRequest,
	http.StatusRequestEntityTooLarge}

// checkOutside checks the status of an answer that belongs to no operation.
func checkOutside(r *http.Request, response *http.Response) error {
	path, status := r.URL.Path, response.StatusCode
	page := slices.Contains([]string{"/", "/docs", "/join", "/workshop"}, path) || strings.HasPrefix(path, "/docs/") ||
		strings.HasPrefix(path, "/pages/") ||
		slices.Contains([]string{"/openapi.json", "/openapi.yaml", "/admin/openapi.json", "/admin/openapi.yaml",
			"/admin/ca.pem",
			"/icon.svg", "/favicon.ico"}, path)
	switch {
	case status == http.StatusMethodNotAllowed, r.Method == http.MethodOptions && status == http.StatusNoContent:
		preflight := r.Header.Get("Access-Control-Request-Method") != ""
		if response.Header.Get("Allow") == "" && !preflight {
			return errors.New("the header Allow is missing")
		}
		return nil
	case status == http.StatusNotFound, status == http.StatusForbidden, page && slices.Contains(ofPages, status):
		return nil
	}
	return fmt.Errorf("status %d outside of every operation", status)
}
