package contracttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/handlers"
)

// Varies is the Vary header that most answers have.
const Varies = "Origin, Accept-Encoding, X-Sandbox, Prefer"

// contract is an http.RoundTripper that validates every answer against the OpenAPI documents.
type contract struct {
	t    *testing.T
	next http.RoundTripper
}

func (c *contract) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if IsStream(response.Header) { // a stream does not end, so ignore its body
		if err := CheckAnswer(r, response, nil); err != nil {
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
	plain, err := Uncompressed(response.Header, body)
	if err == nil {
		err = CheckAnswer(r, response, plain)
	}
	if err != nil {
		c.t.Errorf("%s %s = %d breaks the contract: %v\n%.2000s", r.Method, r.URL, response.StatusCode, err, plain)
	}
	return response, nil
}

// CheckAnswer returns an error if the answer breaks a rule for all answers or contradicts the
// description of its operation.
func CheckAnswer(r *http.Request, response *http.Response, body []byte) error {
	behind := BehindPrefix(r)
	operation := checkOperation
	if forAll(r) {
		operation = func(_ *http.Request, response *http.Response, body []byte) error {
			return checkOutcome(response, body)
		}
	}
	return errors.Join(
		checkRequiredHeaders(behind, response),
		checkSandbox(r, response, body),
		checkError(r, response, body),
		checkExposed(response.Header),
		checkOrigin(behind, response.Header),
		operation(behind, response, body),
	)
}

// versioned matches paths of page files that include the pages' version.
var versioned = regexp.MustCompile(`^/pages/[0-9a-f]{12}/`)

// checkRequiredHeaders checks the headers that every response must have. r is the request without its
// sandbox prefix.
func checkRequiredHeaders(r *http.Request, response *http.Response) error {
	vary, caching := Varies, "no-cache" // so that browsers do not show data from before a reset
	switch {
	case r.Method == http.MethodOptions:
		vary += ", Access-Control-Request-Method, Access-Control-Request-Headers, " +
			"Access-Control-Request-Private-Network"
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
	case r.URL.Path == "/",
		response.StatusCode == http.StatusNotFound && slices.Contains([]string{"/join", "/workshop"}, r.URL.Path):
		vary += ", Accept" // there is also a page for browsers
	}
	if versioned.MatchString(r.URL.Path) && response.StatusCode < http.StatusBadRequest {
		caching = "public, max-age=31536000, immutable"
	}
	if IsStream(response.Header) {
		caching = "no-store"
		if r.URL.Query().Has("access_token") {
			caching = "private, no-store"
		}
	}
	var errs []error
	if ids := response.Header.Values("X-Request-Id"); len(ids) != 1 || ids[0] == "" {
		errs = append(errs, fmt.Errorf("the header X-Request-Id is %q", ids))
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Vary": vary,
		"Cache-Control": caching} {
		if got := response.Header.Values(name); len(got) != 1 || got[0] != want {
			errs = append(errs, fmt.Errorf("the header %s is %q, want %q", name, got, want))
		}
	}
	return errors.Join(errs...)
}

// checkError requires an Error object in every answer with a status of 400 or more, except for the
// two workshop pages on a server without a workshop.
func checkError(r *http.Request, response *http.Response, body []byte) error {
	if response.StatusCode < http.StatusBadRequest {
		return nil
	}
	if last := path.Base(r.URL.Path); response.StatusCode == http.StatusNotFound &&
		(last == "join" || last == "workshop") &&
		(r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
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
	var p Problem
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

// unexposed lists headers that need not be in Access-Control-Expose-Headers: those that the Fetch
// standard safelists, and those that scripts do not need.
var unexposed = []string{
	"Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires", "Last-Modified", "Pragma",
	"Accept-Ranges", "Connection", "Content-Encoding", "Content-Security-Policy", "Date", "Proxy-Authenticate",
	"Upgrade", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Allow-Methods",
	"Access-Control-Allow-Headers", "Access-Control-Allow-Private-Network", "Access-Control-Expose-Headers",
	"Access-Control-Max-Age",
	// These headers are sent with pages, for browsers.
	"Content-Security-Policy", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy",
}

// ExposedHeaders returns the response headers that the server lets scripts read.
var ExposedHeaders = sync.OnceValue(func() []string {
	server, err := handlers.New(Config())
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
		if !slices.Contains(unexposed, name) && !slices.Contains(ExposedHeaders(), name) {
			return fmt.Errorf("no script can read the header %s: it is not in Access-Control-Expose-Headers", name)
		}
	}
	return nil
}

// checkOrigin returns an error if any page may read or embed an answer of the control plane.
func checkOrigin(r *http.Request, header http.Header) error {
	if origin := header.Get("Access-Control-Allow-Origin"); origin == "*" && IsAdmin(r.URL.Path) {
		return errors.New("any page may read an answer of the control plane")
	}
	embeddable := header.Get("Cross-Origin-Resource-Policy") != "same-origin"
	if path := r.URL.Path; embeddable && IsAdmin(path) && !strings.HasPrefix(path, "/join") {
		return errors.New("any page may embed an answer of the control plane")
	}
	return nil
}

// IsAdmin reports whether a path without a sandbox prefix belongs to the control plane.
func IsAdmin(path string) bool {
	return path == "/admin" || strings.HasPrefix(path, "/admin/") || path == "/join" || path == "/metrics" ||
		path == "/mcp" || path == "/join/door"
}
