package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// maxAnswer is how many bytes of an answer a tool gives back: more than a model reads at once.
const maxAnswer = 64 << 10

// caller is on whose behalf tools make requests.
type caller struct {
	context context.Context // ends the requests; nil: that of the call
	like    *http.Request   // whose address, Host and headers tell who asks
	sandbox string          // the one that the caller's address names; empty: it names none
	root    string          // the address of the server, without a slash at its end
}

// callerKey is the key of a *caller in a context.
type callerKey struct{}

// call does what a tool is called for. What is wrong is a result as well, which the model
// reads.
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
	case answer.over:
		return failed(fmt.Sprintf("the answer is longer than %d bytes; ask for less, with limit where the tool takes it, or read %s %s yourself", maxAnswer, t.method, who.root+t.path))
	case answer.status >= http.StatusBadRequest:
		return failed(answer.refusal())
	}
	return p.result(who, answer)
}

// checkSandbox refuses the name of a sandbox that is not that of the address, and for a tool
// that changes something of one that is not there: over HTTP that would create it, here the
// name may as well be misspelt.
func (s *Server) checkSandbox(ctx context.Context, p *prepared, who *caller, name string) error {
	if name == "" {
		return nil
	}
	if who.sandbox != "" {
		own, _ := sandbox.ParseName(who.sandbox) // which has been judged before
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
		err = errors.New(answer.refusal())
	}
	return err
}

// refusal is the error of an operation, which says the tool that creates a sandbox where there is
// none.
func (a *answer) refusal() string {
	body := bytes.TrimSpace(a.body)
	var told rest.Error
	if a.status != http.StatusNotFound || json.Unmarshal(body, &told) != nil || told.Code != "unknown_sandbox" {
		return string(body)
	}
	told.Message += ", or call create_sandbox"
	body, _ = json.Marshal(&told)
	return string(body)
}

// result is the answer of an operation, as an object.
func (p *prepared) result(who *caller, a *answer) *mcp.CallToolResult {
	body := bytes.TrimSpace(a.body)
	switch {
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
		body = p.made.finish(who, body)
	}
	return &mcp.CallToolResult{StructuredContent: json.RawMessage(body), Content: []mcp.Content{&mcp.TextContent{Text: string(body)}}}
}

func failed(message string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: message}}}
}

// do makes a request in memory. The answer has come from every link of the chain that one
// over a connection goes through.
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
	a = &answer{header: make(http.Header)}
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				panic(p)
			}
			a, err = nil, errors.New("the answer broke off, since the server is stopping or the client has gone")
		}
	}()
	s.service.ServeHTTP(a, r)
	return a, nil
}

// answer is where an answer goes. Only its beginning is kept.
type answer struct {
	header http.Header
	status int
	body   []byte
	over   bool // whether it is longer than maxAnswer
}

var errOver = errors.New("the answer is longer than a tool returns")

// Header returns the headers.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader keeps the status.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

// Write keeps a part of the body, or ends it.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.over = a.over || len(a.body)+len(p) > maxAnswer; a.over {
		return 0, errOver
	}
	a.body = append(a.body, p...)
	return len(p), nil
}
