package journal

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// HAR holds the data of an HTTP Archive (HAR 1.2) other than its entries.
type HAR struct {
	Version string // the program's version
	Base    string // the base URL of all requests; "" means the scheme and Host of each request
	Prefix  string // the sandbox's path prefix, such as /sandboxes/ada, or ""
	Comment string // a comment on the whole log, or ""
}

// Write writes entries as an HTTP Archive, which the network panels of browsers can read. The
// startedDateTime of an entry is by the machine's clock, and _time is by the sandbox's clock. Names
// that begin with an underscore are extensions. An aborted connection has the status 0. Truncated
// headers and bodies have a comment.
func (h HAR) Write(w io.Writer, entries iter.Seq[*Entry]) error {
	head := harLog{Version: "1.2", Creator: harCreator{Name: "petstore", Version: cmp.Or(h.Version, "devel")},
		Comment: h.Comment}
	text, _ := json.Marshal(head) // cannot fail
	_, err := fmt.Fprintf(w, `{"log":%s,"entries":[`, bytes.TrimSuffix(text, []byte("}")))
	separator := ""
	for entry := range entries {
		if err != nil {
			return err
		}
		text, _ := json.Marshal(h.entry(entry), jsontext.AllowInvalidUTF8(true)) // cannot fail
		_, err = fmt.Fprintf(w, "%s%s", separator, text)
		separator = ","
	}
	if err == nil {
		_, err = io.WriteString(w, "]}}\n")
	}
	return err
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Comment string     `json:"comment,omitzero"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"` // milliseconds
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitzero"`

	SandboxTime time.Time `json:"_time"`
	ID          int64     `json:"_id"`
	RequestID   string    `json:"_requestId"`
	OperationID string    `json:"_operationId,omitzero"`
	Draw        uint64    `json:"_draw,omitzero"`
	Fault       int64     `json:"_fault,omitzero"`
	Client      string    `json:"_client"`
	ClientName  string    `json:"_clientName,omitzero"`
	Undone      bool      `json:"_undone,omitzero"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	PostData    *harText  `json:"postData,omitzero"`
	HeadersSize int       `json:"headersSize"` // -1 if unknown
	BodySize    int64     `json:"bodySize"`    // -1 if unknown
	Comment     string    `json:"comment,omitzero"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
	Comment     string     `json:"comment,omitzero"`
}

type harContent struct {
	Size int64 `json:"size"` // uncompressed
	harText
}

type harText struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitzero"`
	Comment  string `json:"comment,omitzero"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"` // until the first byte of the response
	Receive float64 `json:"receive"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (h HAR) entry(e *Entry) harEntry {
	entry := harEntry{
		Started: e.Came, Time: e.DurationMS, Timings: harTimings{Wait: e.DurationMS},
		Request: harRequest{
			Method: e.Method, URL: h.address(e), HTTPVersion: e.Protocol, Cookies: []harPair{},
			Headers: harHeaders(e.Headers), Query: harQuery(e.Query),
			HeadersSize: -1, BodySize: e.BodySize, Comment: headersComment(e.HeadersTruncated),
		},
		Response:    harResponseOf(e),
		SandboxTime: e.Time, ID: e.ID, RequestID: e.RequestID, OperationID: e.OperationID, Draw: e.Draw, Fault: e.Fault,
		Client: e.Client, ClientName: e.ClientName, Undone: e.Undone,
	}
	if e.Body != "" {
		entry.Request.PostData = &harText{e.Headers["Content-Type"], e.Body,
			bodyComment(e.Body, e.BodySize, e.BodyTruncated)}
	}
	if e.Status == 0 {
		entry.Comment = "the connection was broken off"
	}
	return entry
}

func harResponseOf(e *Entry) harResponse {
	answer := harResponse{
		Status: e.Status, StatusText: http.StatusText(e.Status), HTTPVersion: e.Protocol, Cookies: []harPair{},
		Headers: []harPair{},
		Content: harContent{harText: harText{MimeType: "x-unknown"}}, HeadersSize: -1,
	}
	r := e.Response
	if r == nil {
		return answer
	}
	answer.Headers, answer.Comment = harHeaders(r.Headers), headersComment(r.HeadersTruncated)
	answer.RedirectURL, answer.BodySize = r.Headers["Location"], r.BodySize
	if r.Headers["Content-Encoding"] != "" {
		answer.BodySize = -1 // the transferred size is unknown
	}
	answer.Content.Size = max(0, r.BodySize)
	if mimeType := r.Headers["Content-Type"]; mimeType != "" {
		answer.Content.MimeType = mimeType
	}
	answer.Content.Text, answer.Content.Comment = r.Body, bodyComment(r.Body, r.BodySize, r.BodyTruncated)
	return answer
}

func headersComment(truncated bool) string {
	if truncated {
		return "headers were cut or left out"
	}
	return ""
}

func bodyComment(body string, size int64, truncated bool) string {
	switch {
	case !truncated:
		return ""
	case size < 0:
		return fmt.Sprintf("cut: the first %d bytes", len(body))
	}
	return fmt.Sprintf("cut: the first %d of %d bytes", len(body), size)
}

func harHeaders(headers map[string]string) []harPair {
	pairs := make([]harPair, 0, len(headers))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		pairs = append(pairs, harPair{name, headers[name]})
	}
	return pairs
}

// harQuery returns the parameters of a query. It does not decode a malformed name or value.
func harQuery(query string) []harPair {
	pairs := []harPair{}
	plain := func(text string) string {
		if decoded, err := url.QueryUnescape(text); err == nil {
			return decoded
		}
		return text
	}
	for part := range strings.SplitSeq(query, "&") {
		if part != "" {
			name, value, _ := strings.Cut(part, "=")
			pairs = append(pairs, harPair{plain(name), plain(value)})
		}
	}
	return pairs
}

// address returns the URL of a request. It percent-encodes characters that a URL must not contain.
func (h HAR) address(e *Entry) string {
	segments := strings.Split(e.Path, "/")
	for i, segment := range segments {
		segments[i] = url.PathEscape(unescaped(segment))
	}
	host := &url.URL{Scheme: e.Scheme, Host: cmp.Or(e.Host, "localhost")}
	address := cmp.Or(h.Base, host.String()) + h.Prefix + strings.Join(segments, "/")
	if e.Query != "" {
		address += "?" + encodedQuery(e.Query)
	}
	return address
}

// queryParts matches an encoded byte in a query, or a character that a query must not contain (RFC
// 3986, section 3.4).
var queryParts = regexp.MustCompile(`%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~!$&'()*+,;=:@/?-]`)

// encodedQuery percent-encodes the characters that a query must not contain. It leaves all other
// characters as they were recorded.
func encodedQuery(query string) string {
	return queryParts.ReplaceAllStringFunc(query, func(part string) string {
		if part[0] == '%' && len(part) > 1 {
			return part
		}
		return url.PathEscape(part)
	})
}
