package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// message is a JSON-RPC 2.0 call, or a notification if it has no id. Clients send no responses,
// because the server makes no calls.
type message struct {
	version, method string
	id, params      jsontext.Value // nil if missing
}

// mostID is the largest integer id that is accepted. JavaScript cannot represent all larger
// integers.
const mostID = 1 << 53

var messageFields = field.Fields[message]{
	field.Required("jsonrpc", func(m *message) *string { return &m.version }, field.OneOf([]string{"2.0"})),
	field.Custom("id", func(m *message, v jsontext.Value, r *field.Reading) {
		valid := v.Kind() == '"'
		switch {
		case v.Kind() == '0':
			_, valid = field.Integer(-mostID, mostID)(v, r)
		case !valid:
			r.Wrong("must be a string or an integer, not %s", field.KindName(v.Kind()))
		}
		if valid {
			m.id = v
		}
	}),
	field.Required("method", func(m *message) *string { return &m.method }, field.Text(1, 200)),
	field.Custom("params", func(m *message, v jsontext.Value, r *field.Reading) {
		if m.params = v; v.Kind() != '{' {
			r.Wrong("must be an object, not %s", field.KindName(v.Kind()))
		}
	}),
	field.Ignored[message]("result"), field.Ignored[message]("error"), // only in responses
}

// readMessage parses the object as a message. The error says why the message is invalid. The
// returned message then contains at least the id, if the object has a valid one.
func readMessage(o *rest.Object[message]) (*message, error) {
	m := new(message)
	o.Read(m)
	if id := o.Value("id"); id != nil && id.Kind() == 'n' { // JSON-RPC allows a null id, but MCP does not
		o.Refuse("id", "must be a string or an integer, not null; leave it out of a notification")
	}
	return m, o.Err()
}

// parseLine parses a line as a message. If the line is invalid, the returned message contains the
// id, if it could be read. If the line is a response, which no client needs to send, the returned
// message is empty.
func parseLine(line []byte) (*message, *failure) {
	const wrong = "the line is not one message of JSON-RPC 2.0: %s"
	o, err := rest.ParseObject(line, messageFields, false)
	switch {
	case !jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)):
		return new(message), fail(parseError, "the line is not JSON; write each message on a line of its own")
	case err != nil:
		return new(message), fail(invalidRequest, wrong, err)
	case !o.Has("method") && (o.Has("result") || o.Has("error")):
		return new(message), nil
	}
	m, err := readMessage(o)
	if err == nil {
		return m, nil
	}
	code, first := invalidRequest, rest.AsError(err).Details[0]
	if first.Field == "/params" {
		code = invalidParams
	}
	return m, fail(code, wrong, strings.TrimPrefix(first.String(), "/"))
}

// notifications are the notifications that a client may send.
var notifications = []string{
	"notifications/cancelled", "notifications/initialized", "notifications/progress",
	"notifications/roots/list_changed",
}

// misuse describes how the message misuses its method. It returns "" if the message is correct.
func (m *message) misuse() string {
	notification := slices.Contains(notifications, m.method)
	switch {
	case notification && m.id != nil:
		return m.method + " is a notification, which has no id"
	case !notification && m.id == nil:
		return fmt.Sprintf("there is no notification %q; a call needs an id", m.method)
	case m.params == nil &&
		slices.Contains([]string{"initialize", "tools/call", "resources/read", "notifications/progress"}, m.method):
		return m.method + " requires params"
	}
	return ""
}

// response is the JSON-RPC response to a call.
type response struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"` // null if the call's id is unknown
	Result  object         `json:"result,omitzero"`
	Error   *failure       `json:"error,omitzero"`
}

// object is a JSON object in a response.
type object map[string]any

// failure is the error object in a [response].
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    object `json:"data,omitzero"`
}

// Error codes defined by JSON-RPC 2.0 (section 5.1) and by MCP.
const (
	parseError         = -32700
	invalidRequest     = -32600
	methodNotFound     = -32601
	invalidParams      = -32602
	internalError      = -32603
	headerMismatch     = -32020
	unsupportedVersion = -32022
)

func fail(code int, format string, args ...any) *failure {
	return &failure{Code: code, Message: fmt.Sprintf(format, args...)}
}
