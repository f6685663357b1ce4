package contracttest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/petstore/handlers/sandbox"
)

// BehindPrefix returns r with the sandbox prefix removed from its path. It decodes the path segment
// by segment, because an encoded slash does not separate segments.
func BehindPrefix(r *http.Request) *http.Request {
	_, path := partPath(r.URL)
	behind := *r
	behind.URL = &url.URL{Path: path, RawQuery: r.URL.RawQuery}
	return &behind
}

// partPath splits the path into the sandbox name in its prefix and the rest. name is nil if there
// is no prefix.
func partPath(u *url.URL) (name *string, path string) {
	segments := strings.Split(sentPath(u), "/")
	for i := range segments {
		text, err := url.PathUnescape(segments[i])
		if err != nil {
			panic(err) // cannot happen: a URL that parsed has a valid encoding
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

// sentPath returns the path as the client encoded it. EscapedPath loses an encoded slash if another
// character should have been encoded too.
func sentPath(u *url.URL) string { return cmp.Or(u.RawPath, u.EscapedPath()) }

// ChosenSandbox returns the canonical name of the sandbox that r is addressed to. ok is false if r
// names the sandbox in an invalid way.
func ChosenSandbox(r *http.Request) (name string, ok bool) {
	headers := r.Header["X-Sandbox"]
	var texts []string
	if len(headers) > 0 {
		text, err := url.PathUnescape(headers[0])
		if err != nil || len(headers) > 1 {
			return "", false
		}
		texts = append(texts, text)
	}
	if InSandbox, ok := strings.CutPrefix(sentPath(r.URL), "/sandboxes/"); ok {
		inPath, _, _ := strings.Cut(InSandbox, "/")
		text, err := url.PathUnescape(inPath)
		if err != nil {
			return "", false
		}
		texts = append(texts, text)
	}
	name = "default"
	for i, text := range texts {
		named, err := sandbox.ParseName(text)
		if err != nil || i > 0 && named.Canonical != name {
			return "", false
		}
		name = named.Canonical
	}
	return name, true
}

// checkSandbox requires the header X-Sandbox to name the request's sandbox. If the request names no
// valid sandbox, or if noSandbox accepts the answer, the header must be absent.
func checkSandbox(r *http.Request, response *http.Response, body []byte) error {
	name, ok := ChosenSandbox(r)
	_, _, err := FindOperation(BehindPrefix(r))
	operation := err == nil
	if !ok && operation && !listensToAll(r) && !forAll(r) && response.StatusCode != http.StatusBadRequest {
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

// listensToAll reports whether r requests the events of all sandboxes.
func listensToAll(r *http.Request) bool {
	name, path := partPath(r.URL)
	return name != nil && *name == "*" && r.Header["X-Sandbox"] == nil && path == "/admin/events"
}

// forAll reports whether r changes all sandboxes.
func forAll(r *http.Request) bool {
	name, path := partPath(r.URL)
	return name != nil && *name == "*" && r.Header["X-Sandbox"] == nil && IsAdmin(path) && r.Method != http.MethodGet &&
		r.Method != http.MethodHead
}

// Outcome is the body of an answer to a request that changes all sandboxes.
type Outcome struct {
	Done     int       `json:"done"`
	Failed   []Failure `json:"failed"`
	Failures int       `json:"failures"`
}

// Failure is a sandbox in which the change failed.
type Failure struct {
	Sandbox string  `json:"sandbox"`
	Error   Problem `json:"error"`
}

// checkOutcome requires an [Outcome] in the answer to a request that changes all sandboxes. The
// documents cannot describe this answer, because the request may be for any operation that changes
// something.
func checkOutcome(response *http.Response, body []byte) error {
	if response.StatusCode != http.StatusOK {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	var o Outcome
	if err := decoder.Decode(&o); err != nil {
		return fmt.Errorf("not an outcome: %w", err)
	}
	if o.Failed == nil || len(o.Failed) != min(o.Failures, 32) {
		return fmt.Errorf("not a whole outcome: %+v", o)
	}
	return nil
}

// noSandbox reports whether the answer says that the sandbox is missing or that the server has no
// room for it. An answer to HEAD has no body, so noSandbox accepts any with status 404 or 503 and
// no X-Sandbox header.
func noSandbox(r *http.Request, response *http.Response, body []byte) bool {
	status := response.StatusCode
	if r.Method == http.MethodHead && (status == http.StatusNotFound || status == http.StatusServiceUnavailable) {
		return response.Header["X-Sandbox"] == nil
	}
	var p Problem
	path := BehindPrefix(r).URL.Path
	about := !strings.HasPrefix(path, "/admin/sandboxes") && path != "/admin/template"
	if !about || status < http.StatusBadRequest || json.Unmarshal(body, &p) != nil {
		return false
	}
	return p.Code == "sandbox_limit_reached" || p.Code == "unknown_sandbox" || p.Code == "server_full" &&
		response.Header["X-Sandbox"] == nil
}
