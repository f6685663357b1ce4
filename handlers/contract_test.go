package handlers_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/docs"
)

// contract is a transport that holds every answer to the documents, so that no
// test can forget to.
type contract struct {
	t    *testing.T
	next http.RoundTripper
}

func (c *contract) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if isStream(response.Header) { // it has no end to wait for
		if err := checkAnswer(r, response, nil); err != nil {
			c.t.Errorf("%s %s = %d breaks the contract: %v", r.Method, r.URL, response.StatusCode, err)
		}
		return response, nil
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	plain, err := uncompressed(response.Header, body)
	if err == nil {
		err = checkAnswer(r, response, plain)
	}
	if err != nil {
		c.t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", r.Method, r.URL, response.StatusCode, err, plain)
	}
	return response, nil
}

// checkAnswer returns how the answer breaks what is promised of every answer, or
// of the operation's.
func checkAnswer(r *http.Request, response *http.Response, body []byte) error {
	behind := behindPrefix(r)
	return errors.Join(
		checkManners(response),
		checkSandbox(r, response, body),
		checkError(r, response, body),
		checkExposed(response.Header),
		checkOrigin(behind, response.Header),
		checkOperation(behind, response, body),
	)
}

// behindPrefix returns the request without the prefix that chose its sandbox. Its path
// is decoded segment by segment: a slash in a segment is no separator.
func behindPrefix(r *http.Request) *http.Request {
	_, path := partPath(r.URL)
	behind := *r
	behind.URL = &url.URL{Path: path, RawQuery: r.URL.RawQuery}
	return &behind
}

// partPath returns the name that the path's prefix gives, nil without one, and the path
// behind it.
func partPath(u *url.URL) (name *string, path string) {
	segments := strings.Split(u.EscapedPath(), "/")
	for i := range segments {
		text, err := url.PathUnescape(segments[i])
		if err != nil {
			panic(err) // EscapedPath is always encoded
		}
		segments[i] = text
	}
	if len(segments) > 2 && segments[1] == "sandboxes" {
		name, segments = &segments[2], append([]string{""}, segments[3:]...)
		if len(segments) == 1 {
			return name, "/"
		}
	}
	for i := range segments {
		segments[i] = strings.ReplaceAll(segments[i], "/", "%2F")
	}
	return name, strings.Join(segments, "/")
}

// canonical returns the name that section 9 of the design gives to a text, unless it
// gives it none.
func canonical(text string) (name string, ok bool) {
	switch n := utf8.RuneCountInString(text); {
	case n < 1, n > 200, text == "*", !utf8.ValidString(text), strings.ContainsFunc(text, unicode.IsControl):
		return "", false
	case regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`).MatchString(text):
		return text, true
	}
	lower := regexp.MustCompile(`[A-Z]+`).ReplaceAllStringFunc(text, strings.ToLower)
	readable := regexp.MustCompile(`[^a-z0-9._]`).ReplaceAllString(lower, "-")
	readable = strings.Trim(readable[:min(len(readable), 50)], "._-")
	return strings.TrimPrefix(fmt.Sprintf("%s-%.6x", readable, sha256.Sum256([]byte(text))), "-"), true
}

// chosenSandbox returns the canonical name of the sandbox that the request speaks to,
// unless it names none that can be.
func chosenSandbox(r *http.Request) (name string, ok bool) {
	headers := r.Header["X-Sandbox"]
	var texts []string
	if len(headers) > 0 {
		text, err := url.PathUnescape(headers[0])
		if err != nil || len(headers) > 1 {
			return "", false
		}
		texts = append(texts, text)
	}
	if inSandbox, ok := strings.CutPrefix(r.URL.EscapedPath(), "/sandboxes/"); ok {
		inPath, _, _ := strings.Cut(inSandbox, "/")
		text, err := url.PathUnescape(inPath)
		if err != nil {
			return "", false
		}
		texts = append(texts, text)
	}
	name = "default"
	for i, text := range texts {
		named, ok := canonical(text)
		if !ok || i > 0 && named != name {
			return "", false
		}
		name = named
	}
	return name, true
}

// checkSandbox wants every answer to name the sandbox of its request, but for those
// that say that there is none.
func checkSandbox(r *http.Request, response *http.Response, body []byte) error {
	name, ok := chosenSandbox(r)
	_, _, err := findOperation(behindPrefix(r))
	operation := err == nil
	if !ok && operation && response.StatusCode != http.StatusBadRequest {
		return errors.New("it names no sandbox that can be, and is not refused for that")
	}
	want := []string{name}
	if !ok || noSandbox(r, response, body) {
		want = nil
	}
	if got := response.Header["X-Sandbox"]; !slices.Equal(got, want) {
		return fmt.Errorf("X-Sandbox is %q, want %q", got, want)
	}
	return nil
}

// noSandbox reports whether the answer says that the sandbox of its request is not
// there, or that there is no room for it. An answer to HEAD may say so.
func noSandbox(r *http.Request, response *http.Response, body []byte) bool {
	status := response.StatusCode
	if r.Method == http.MethodHead && (status == http.StatusNotFound || status == http.StatusServiceUnavailable) {
		return response.Header["X-Sandbox"] == nil
	}
	var p problem
	about := !strings.HasPrefix(behindPrefix(r).URL.Path, "/admin/sandboxes")
	return about && json.Unmarshal(body, &p) == nil && (p.Code == "sandbox_limit_reached" || p.Code == "unknown_sandbox")
}

// checkOrigin wants no answer of the control plane to be for every page.
func checkOrigin(r *http.Request, header http.Header) error {
	if origin := header.Get("Access-Control-Allow-Origin"); origin == "*" && isAdmin(r.URL.Path) {
		return errors.New("any page may read an answer of the control plane")
	}
	return nil
}

func isAdmin(path string) bool { return path == "/admin" || strings.HasPrefix(path, "/admin/") }

func checkManners(response *http.Response) error {
	var errs []error
	if ids := response.Header.Values("X-Request-Id"); len(ids) != 1 || ids[0] == "" {
		errs = append(errs, fmt.Errorf("X-Request-Id is %q", ids))
	}
	if sniff := response.Header.Values("X-Content-Type-Options"); len(sniff) != 1 || sniff[0] != "nosniff" {
		errs = append(errs, fmt.Errorf("X-Content-Type-Options is %q", sniff))
	}
	if vary := response.Header.Values("Vary"); len(vary) != 1 || !strings.HasPrefix(vary[0], varies) {
		errs = append(errs, fmt.Errorf("Vary is %q", vary))
	}
	if caching := response.Header.Values("Cache-Control"); len(caching) != 1 || strings.Contains(caching[0], "no-store") != isStream(response.Header) {
		errs = append(errs, fmt.Errorf("Cache-Control is %q", caching))
	}
	return errors.Join(errs...)
}

// checkError wants an Error object of every answer of status 400 and above.
func checkError(r *http.Request, response *http.Response, body []byte) error {
	if response.StatusCode < http.StatusBadRequest {
		return nil
	}
	if got := response.Header.Values("Content-Type"); len(got) != 1 || got[0] != "application/json" {
		return fmt.Errorf("an error of Content-Type %q", got)
	}
	if r.Method == http.MethodHead {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	var p problem
	if err := decoder.Decode(&p); err != nil {
		return fmt.Errorf("not an Error object: %w", err)
	}
	if p.Status != response.StatusCode || p.Code == "" || p.Message == "" || p.Details != nil && len(p.Details) == 0 {
		return fmt.Errorf("not a whole Error object: %+v", p)
	}
	for _, d := range p.Details {
		if d.Field == "" || d.Message == "" {
			return fmt.Errorf("a detail that says nothing: %+v", d)
		}
	}
	return nil
}

// unexposed are the headers that a script need not or cannot be allowed to read:
// the safelisted ones of the Fetch standard, and those of the connection.
var unexposed = []string{
	"Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires", "Last-Modified", "Pragma",
	"Accept-Ranges", "Connection", "Content-Encoding", "Date",
	"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers",
	"Access-Control-Allow-Private-Network", "Access-Control-Expose-Headers", "Access-Control-Max-Age",
}

// undescribed are the headers that no document describes: those of the connection and
// of the body, which are HTTP's own.
var undescribed = []string{"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Date"}

var exposedHeaders = sync.OnceValue(func() []string {
	server, err := handlers.New(config())
	if err != nil {
		panic(err)
	}
	recorder, request := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/healthz", nil)
	request.Header.Set("Origin", "http://app.example")
	server.ServeHTTP(recorder, request)
	var names []string
	for _, line := range recorder.Header().Values("Access-Control-Expose-Headers") {
		for name := range strings.SplitSeq(line, ",") {
			names = append(names, http.CanonicalHeaderKey(strings.TrimSpace(name)))
		}
	}
	return names
})

func checkExposed(header http.Header) error {
	for name := range header {
		if !slices.Contains(unexposed, name) && !slices.Contains(exposedHeaders(), name) {
			return fmt.Errorf("no script can read the header %s: it is not in Access-Control-Expose-Headers", name)
		}
	}
	return nil
}

// document is an embedded OpenAPI document as somebody else's code reads it.
type document struct {
	*openapi3.T
	router routers.Router
}

var (
	serviceDocument = sync.OnceValue(func() *document { return loadDocument(docs.Service()) })
	adminDocument   = sync.OnceValue(func() *document { return loadDocument(docs.Admin()) })
)

func loadDocument(d *docs.Document) *document {
	text, err := d.JSON(docs.Now{Server: "/"})
	if err != nil {
		panic(err)
	}
	parsed, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		panic(err)
	}
	router, err := gorillamux.NewRouter(parsed)
	if err != nil {
		panic(err)
	}
	return &document{parsed, router}
}

func documentOf(path string) *document {
	if isAdmin(path) {
		return adminDocument()
	}
	return serviceDocument()
}

// findOperation returns the document's operation of the request; HEAD is GET's.
func findOperation(r *http.Request) (*routers.Route, *http.Request, error) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	plain := &http.Request{Method: method, URL: &url.URL{Path: r.URL.Path, RawQuery: r.URL.RawQuery}, Header: r.Header}
	route, _, err := documentOf(r.URL.Path).router.FindRoute(plain)
	return route, plain, err
}

func checkOperation(r *http.Request, response *http.Response, body []byte) error {
	route, plain, err := findOperation(r)
	if err != nil {
		return checkOutside(r, response)
	}
	status, injected := response.StatusCode, strings.Contains(strings.ToLower(strings.Join(r.Header["Prefer"], ",")), "code=")
	described := route.Operation.Responses.Status(status)
	if described == nil && injected {
		described = route.Operation.Responses.Default()
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
			ExcludeResponseBody:   r.Method == http.MethodHead || isStream(response.Header),
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

// checkHeaders wants every header described, and those that the document
// promises: the validation passes 304 over, and allows headers that no reader of
// the document can know.
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

// checkLifecycle wants the lifecycle headers on every answer, errors too.
func checkLifecycle(header http.Header, operation *openapi3.Operation) error {
	for _, name := range []string{"Deprecation", "Sunset", "Warning"} {
		if operation.Deprecated != (header[name] != nil) {
			return fmt.Errorf("%s is %q, though deprecated is %t in the document", name, header[name], operation.Deprecated)
		}
	}
	if want, _ := operation.Extensions["x-stability"].(string); header.Get("X-Stability") != want {
		return fmt.Errorf("X-Stability is %q, but the document says %q", header.Get("X-Stability"), want)
	}
	return nil
}

// checkOutside wants the answer outside of every operation to be one of the few
// that there are.
func checkOutside(r *http.Request, response *http.Response) error {
	path, status := r.URL.Path, response.StatusCode
	page := path == "/" || path == "/docs" || strings.HasPrefix(path, "/docs/") ||
		slices.Contains([]string{"/openapi.json", "/openapi.yaml", "/admin/openapi.json", "/admin/openapi.yaml"}, path)
	switch {
	case status == http.StatusMethodNotAllowed, r.Method == http.MethodOptions && status == http.StatusNoContent:
		preflight := r.Header.Get("Access-Control-Request-Method") != ""
		if response.Header.Get("Allow") == "" && !preflight {
			return errors.New("Allow is missing")
		}
		return nil
	case status == http.StatusNotFound, status == http.StatusForbidden, page:
		return nil
	}
	return fmt.Errorf("status %d outside of every operation", status)
}
