package mcp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// maxAnswer is the maximum size of a tool's result, in bytes. A model cannot read more than this at
// one time. maxRead is the maximum size of a resource, and of a response that a tool reads. It
// suffices for ten requests of the journal.
const (
	maxAnswer = 64 << 10
	maxRead   = 4 * maxAnswer
)

// caller is the client for which tools make requests.
type caller struct {
	like    *http.Request // the client's request, or a stand-in for --mcp; tools copy its Host and some headers
	sandbox sandbox.Name  // the sandbox that the client's URL or X-Sandbox names, or the zero Name
	root    string        // the server's base URL, without a trailing slash
	place   string        // the end of the instructions, which says where the service is

	header http.Header  // the request's headers, which must agree with the message; nil for --mcp
	hold   func() error // reserves memory for a tool's response; a second call has no effect
}

// call runs a tool and returns its result. The text of an error is written for the model.
func (s *Server) call(ctx context.Context, who *caller, p *prepared, raw jsontext.Value) ([]byte, error) {
	given, err := p.read(raw)
	if err != nil {
		return nil, err
	}
	if err := s.checkSandbox(ctx, who, p, given.text(sandboxName)); err != nil {
		return nil, err
	}
	if !p.waits { // a call that may wait for a long time reserves the memory when its response starts
		if err := who.hold(); err != nil {
			return nil, err
		}
	}
	operation := p.operation
	if p.made.choose != nil {
		if operation, err = p.made.choose(who, given); err != nil {
			return nil, err
		}
	}
	t, err := p.request(operation, given)
	if err != nil {
		return nil, err
	}
	a, err := s.do(ctx, who, t)
	if err != nil {
		return nil, err
	}
	result, err := p.result(who, given, a)
	if err == errOver {
		return nil, errors.New(p.tooLong(who, given, t))
	}
	return result, err
}

// tooLong returns the error for a result that is too long.
func (p *prepared) tooLong(who *caller, given values, t *target) string {
	message := fmt.Sprintf("the result is longer than %d bytes; ", maxAnswer)
	if find(p.arguments, "limit") != nil {
		return message + "ask for less with limit"
	}
	address := who.address(who.sandboxOf(given)) + t.address
	return message + "save it in a file with curl -o FILE '" + address +
		"', and the key of the control plane if it has one"
}

// checkSandbox checks the sandbox that a call names. If the caller's URL or X-Sandbox names one,
// checkSandbox rejects any other. Otherwise, if the tool changes something, checkSandbox rejects a
// missing sandbox, whose name is probably misspelt. Without this check, the call could create that
// sandbox.
func (s *Server) checkSandbox(ctx context.Context, who *caller, p *prepared, name string) error {
	if name == "" {
		return nil
	}
	if own := who.sandbox; own.Title != "" {
		if other, err := sandbox.ParseName(name); err == nil && other.Canonical != own.Canonical {
			return fmt.Errorf("the connection is to the sandbox %s alone; leave %s out, or connect to %s%s for others",
				field.Quote(own.Title), sandboxName, who.root, rest.MCPPath)
		}
		return nil
	}
	if p.does == reads {
		return nil
	}
	_, err := s.do(ctx, who, &target{method: http.MethodGet, address: "/admin", sandbox: name})
	return err
}

// result returns the tool's result, which is a JSON object. The error comes from the tool's finish
// function, or is errOver if the result is too long, or if the operation's response is too long and
// the tool does not accept a truncated one.
func (p *prepared) result(who *caller, given values, a *answer) (body []byte, err error) {
	body = bytes.TrimSpace(a.body)
	switch {
	case a.over && !p.made.partial:
		return nil, errOver
	case len(body) == 0:
		body = []byte(`{"done":true}`)
	case body[0] == '[':
		total := ""
		if n := a.header.Get("X-Total-Count"); n != "" {
			total = `,"total":` + n
		}
		body = fmt.Appendf(nil, `{%q:%s%s}`, p.list, body, total)
	}
	if p.made.finish != nil {
		body, err = p.made.finish(who, given, body)
	}
	if len(body) > maxAnswer {
		return nil, errOver
	}
	return body, err
}

// do makes an in-memory request, which passes through all middleware like a request over a
// connection. If the status is 400 or more, the error's text is the response's body, rewritten by
// inTools. The error may also come from who.hold, or mean that the response was cut off.
func (s *Server) do(ctx context.Context, who *caller, t *target) (a *answer, err error) {
	address := t.address
	if who.sandbox.Title != "" {
		address = "/sandboxes/" + url.PathEscape(who.sandbox.Title) + address
	}
	r, err := http.NewRequestWithContext(ctx, t.method, address, bytes.NewReader(t.body))
	if err != nil {
		return nil, err
	}
	r.Host, r.TLS, r.RemoteAddr, r.RequestURI = who.like.Host, who.like.TLS, who.like.RemoteAddr, address
	r.Header = rest.CallerHeader(who.like.Header)
	if t.sandbox != "" {
		r.Header.Set("X-Sandbox", url.PathEscape(t.sandbox))
	}
	if t.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a = &answer{header: make(http.Header), hold: who.hold}
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				panic(p)
			}
			a, err = nil,
				errors.New("the response was cut off, because the server is stopping or the client has disconnected")
		}
	}()
	s.service.ServeHTTP(a, r)
	if a.full == nil && a.status >= http.StatusBadRequest {
		return nil, errors.New(inTools(string(bytes.TrimSpace(a.body))))
	}
	return a, a.full
}

// address returns the base URL of a sandbox.
func (c *caller) address(name string) string {
	if name == sandbox.Default {
		return c.root
	}
	return c.root + "/sandboxes/" + url.PathEscape(name)
}

// sandboxOf returns the name of the call's sandbox.
func (c *caller) sandboxOf(given values) string {
	return cmp.Or(given.text(sandboxName), c.sandbox.Title, sandbox.Default)
}

// answer is the ResponseWriter for an in-memory request. It keeps only the start of a long
// response.
type answer struct {
	header http.Header
	hold   func() error // reserves memory for the response when the response starts
	full   error        // the error from hold
	status int
	body   []byte
	over   bool // the response is longer than maxRead
}

var errOver = errors.New("the answer is longer than a tool returns")

// Header returns the response headers.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader records the first final status and reserves memory for the response.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status, a.full = status, a.hold()
	}
}

// Write appends to the body, up to maxRead bytes in total. It returns an error if the body is too
// long or no memory is left.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.full != nil {
		return 0, a.full
	}
	kept := min(len(p), maxRead-len(a.body))
	a.body = append(a.body, p[:kept]...)
	if a.over = a.over || kept < len(p); a.over {
		return kept, errOver
	}
	return kept, nil
}
