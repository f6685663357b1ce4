package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"example.com/petstore/store/field"
)

// envelope has the members that every request and notification has. The server sends no requests,
// so it gets no responses.
type envelope struct{ version, method string }

// mostID is the largest integer id. The SDK reads ids as float64 and would return a larger one
// changed.
const mostID = 1 << 53

var envelopeFields = field.Fields[envelope]{
	field.Required("jsonrpc", func(e *envelope) *string { return &e.version }, field.OneOf([]string{"2.0"})),
	field.Custom("id", func(_ *envelope, v jsontext.Value, r *field.Reading) {
		switch v.Kind() {
		case '"':
		case '0':
			field.Integer(-mostID, mostID)(v, r)
		default:
			r.Wrong("must be a string or an integer, not %s", field.KindName(v.Kind()))
		}
	}),
	field.Required("method", func(e *envelope) *string { return &e.method }, field.Text(1, 200)),
	field.Custom("params", func(_ *envelope, v jsontext.Value, r *field.Reading) {
		if v.Kind() != '{' {
			r.Wrong("must be an object, not %s", field.KindName(v.Kind()))
		}
	}),
	field.Ignored[envelope]("result"), field.Ignored[envelope]("error"), // in responses
}

// nullID is the problem of an id that is null. JSON-RPC allows it, and MCP does not.
const nullID = "must be a string or an integer, not null; leave it out of a notification"

// hasNullID reports whether the message has such an id.
func hasNullID(o *field.Object[envelope]) bool {
	id := o.Value("id")
	return id != nil && id.Kind() == 'n'
}

// readEnvelope validates a message that is JSON. It returns its id, or nil if that is missing or
// invalid.
func readEnvelope(text []byte) (id jsontext.Value, wrong *jsonrpc.Error) {
	refused := func(code int64, why string) *jsonrpc.Error {
		return &jsonrpc.Error{Code: code, Message: "the line is not one message of JSON-RPC 2.0: " + why}
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	if kind := dec.PeekKind(); kind != '{' {
		return nil, refused(jsonrpc.CodeInvalidRequest, "it must be an object, not "+field.KindName(kind))
	}
	o, err := envelopeFields.Scan(dec)
	if err != nil {
		return nil, refused(jsonrpc.CodeInvalidRequest, "a name is there twice in one object, or a text is not valid UTF-8")
	}
	r := field.Reading{Place: func(p field.Path) string { return strings.TrimPrefix(p.Pointer(), "/") }}
	if o.Has("method") || !o.Has("result") && !o.Has("error") {
		o.Read(new(envelope), &r)
		if hasNullID(o) {
			r.WrongAt(field.At("id"), nullID)
		}
	}
	if id = o.Value("id"); slices.ContainsFunc(r.Problems, func(p field.Problem) bool { return p.Field == "id" }) {
		id = nil
	}
	if len(r.Problems) == 0 {
		return id, nil
	}
	code := int64(jsonrpc.CodeInvalidRequest)
	if r.Problems[0].Field == "params" {
		code = jsonrpc.CodeInvalidParams
	}
	return id, refused(code, r.Problems[0].String())
}

// refusal returns the JSON-RPC error response to the message with the id.
func refusal(id jsontext.Value, code int64, message string) ([]byte, error) {
	return json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "error": map[string]any{"code": code, "message": message}})
}

// undecoded matches the SDK's error for params of the wrong types: the method and, if it is known,
// the member. The rest of the error is about Go types.
var undecoded = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^handling '([\w/]+)': (?:invalid params: )?unmarshaling ".*" into a \*mcp\.\w+: (?:.*Go struct field \w+\.\w+\.([\w.]+) of type )?`)
})

// plain replaces an error of the SDK by one that is useful to clients.
func plain(err error) error {
	if err == nil {
		return nil
	}
	found := undecoded().FindStringSubmatch(err.Error())
	if _, coded := errors.AsType[*jsonrpc.Error](err); found == nil && !coded {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()} // the SDK would use no code
	}
	if found == nil {
		return err
	}
	where := "params"
	if found[2] != "" {
		where += "." + found[2]
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("%s of %s is not of the type that the protocol gives it", where, found[1])}
}

// plainMessage is plain for an encoded message.
func plainMessage(text []byte) []byte {
	if !bytes.Contains(text, []byte("unmarshaling")) {
		return text
	}
	m, err := jsonrpc.DecodeMessage(text)
	if r, ok := m.(*jsonrpc.Response); err == nil && ok && r.Error != nil {
		r.Error = plain(r.Error)
		if plainer, err := jsonrpc.EncodeMessage(r); err == nil {
			return plainer
		}
	}
	return text
}
