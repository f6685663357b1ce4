package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// maxAnswer is the most bytes that a tool returns, more than a model reads at once. maxRead is the
// most that it reads of a response to select them from, enough for ten requests of the journal.
const (
	maxAnswer = 64 << 10
	maxRead   = 3 * maxAnswer
)

// caller is the client for which tools make requests.
type caller struct {
	context context.Context // ends the requests; nil uses that of the call
	like    *http.Request   // a request with the client's address, Host and headers
	sandbox string          // the sandbox in the client's URL, or ""
	root    string          // the server's base URL, without a final slash
	hold    func() error    // reserves the memory of a tool's response; may be called again
}

// callerKey is the key of a *caller in a context.
type callerKey struct{}

// call runs a tool. Errors are results too, for the model to read.
func (s *Server) call(ctx context.Context, p *prepared, raw []byte) *mcp.CallToolResult {
	who := ctx.Value(callerKey{}).(*caller)
	if who.context != nil {
		ctx = who.context
	}
	given, err := p.read(raw)
	if err != nil {
		return failed(err.Error())
	}
	if err := s.checkSandbox(ctx, p, who, given.text(sandboxName)); err != nil {
		return failed(err.Error())
	}
	if !p.waits {
		if err := who.hold(); err != nil {
			return failed(err.Error())
		}
	}
	operation := p.operation
	if p.made != nil && p.made.choose != nil {
		if operation, err = p.made.choose(who, given); err != nil {
			return failed(err.Error())
		}
	}
	t, err := p.request(operation, given)
	if err != nil {
		return failed(err.Error())
	}
	answer, err := s.do(ctx, who, given.text(sandboxName), t)
	switch {
	case err != nil:
		return failed(err.Error())
	case answer.status >= http.StatusBadRequest:
		return failed(s.inTools(answer.refusal()))
	}
	result, err := p.result(who, given, answer)
	switch {
	case errors.Is(err, errOver):
		return failed(p.tooLong(who, given, t))
	case err != nil:
		return failed(err.Error())
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(result), Content: []mcp.Content{&mcp.TextContent{Text: string(result)}}}
}

// tooLong returns the error for a result that is too long.
func (p *prepared) tooLong(who *caller, given values, t *target) string {
	message := fmt.Sprintf("the result is longer than %d bytes; ", maxAnswer)
	if slices.ContainsFunc(p.arguments, func(a argument) bool { return a.Name == "limit" }) {
		return message + "ask for less with limit"
	}
	address := who.address(who.sandboxOf(given)) + t.path
	if len(t.query) > 0 {
		address += "?" + t.query.Encode()
	}
	return message + "save it in a file with curl -o FILE '" + address + "', and the key of the control plane if it has one"
}

// checkSandbox refuses the name of a sandbox other than the one in the URL. For a tool that changes
// something, it refuses an unknown sandbox: over HTTP the request would create it, but here the
// name is more likely misspelt.
func (s *Server) checkSandbox(ctx context.Context, p *prepared, who *caller, name string) error {
	if name == "" {
		return nil
	}
	if who.sandbox != "" {
		own, _ := sandbox.ParseName(who.sandbox) // already validated
		if other, err := sandbox.ParseName(name); err == nil && other.Canonical != own.Canonical {
			return fmt.Errorf("the connection is to the sandbox %s alone; leave %s out, or connect to %s%s for others", field.Quote(who.sandbox), sandboxName, who.root, rest.MCPPath)
		}
		return nil
	}
	if p.does == reads {
		return nil
	}
	answer, err := s.do(ctx, who, name, &target{method: http.MethodGet, path: "/admin"})
	if err == nil && answer.status == http.StatusNotFound {
		err = errors.New(s.inTools(answer.refusal()))
	}
	return err
}

// refusal returns the error of an operation.
func (a *answer) refusal() string { return string(bytes.TrimSpace(a.body)) }

// result returns the response of an operation as an object. The error is errOver if it is too long.
func (p *prepared) result(who *caller, given values, a *answer) (body []byte, err error) {
	body = bytes.TrimSpace(a.body)
	switch {
	case a.over && (p.made == nil || !p.made.partial):
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
	if p.made != nil && p.made.finish != nil {
		body, err = p.made.finish(who, given, body)
	}
	if err == nil && len(body) > maxAnswer {
		return nil, errOver
	}
	return body, err
}

func failed(message string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: message}}}
}

// do makes a request in memory. It passes every link of the chain, like a request over a
// connection.
func (s *Server) do(ctx context.Context, who *caller, named string, t *target) (a *answer, err error) {
	address := t.path
	if who.sandbox != "" {
		address = "/sandboxes/" + url.PathEscape(who.sandbox) + address
	}
	if len(t.query) > 0 {
		address += "?" + t.query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, t.method, address, bytes.NewReader(t.body))
	if err != nil {
		return nil, err
	}
	r.Host, r.TLS, r.RemoteAddr, r.RequestURI = who.like.Host, who.like.TLS, who.like.RemoteAddr, address
	r.Header = rest.CallerHeader(who.like.Header)
	if named != "" {
		r.Header.Set("X-Sandbox", url.PathEscape(named))
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
			a, err = nil, errors.New("the answer broke off, since the server is stopping or the client has gone")
		}
	}()
	s.service.ServeHTTP(a, r)
	return a, a.full
}

// address returns the base URL of a sandbox.
func (c *caller) address(name string) string {
	if name == sandbox.Default {
		return c.root
	}
	return c.root + "/sandboxes/" + url.PathEscape(name)
}

// answer is the ResponseWriter of a request in memory. It keeps only the start of a long response.
type answer struct {
	header http.Header
	hold   func() error // reserves memory for the response when it begins
	full   error        // the error of hold
	status int
	body   []byte
	over   bool // the response is longer than maxRead
}

var errOver = errors.New("the answer is longer than a tool returns")

// Header returns the response headers.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader records the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status, a.full = status, a.hold()
	}
}

// Write keeps a part of the body, or ends it.
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
