package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/store/field"
)

// prepared is a tool with its arguments and the requests that it can make.
type prepared struct {
	tool
	arguments []docs.Argument
	requests  map[string]docs.Request // by operationId
}

// preparedTools returns all tools. It prepares them only when it is first called, because parsing
// the documents is slow.
var preparedTools = sync.OnceValue(prepare)

// prepare reads the arguments of all tools from the documents.
func prepare() []*prepared {
	all := make([]*prepared, len(tools))
	for i, t := range tools {
		p := &prepared{tool: t, requests: make(map[string]docs.Request)}
		if t.operation != "" {
			r := docs.Admin().Request(t.operation)
			p.requests[t.operation] = r
			p.arguments = pick(r, t.takes...)
		}
		if t.made.prepare != nil {
			t.made.prepare(p)
		}
		p.arguments = append(p.arguments, t.made.own...)
		if !t.made.everywhere {
			p.arguments = append(p.arguments, sandboxArgument)
		}
		all[i] = p
	}
	return all
}

// values maps the names of arguments to their JSON values.
type values map[string]jsontext.Value

// text returns an argument as text, with commas between the elements of an array. It returns "" if
// the argument is missing or [texts] returns an error.
func (v values) text(name string) string {
	texts, _ := texts(v[name])
	return strings.Join(texts, ",")
}

// read parses and checks the arguments of a call, and adds the tool's own defaults. It drops null
// values, because models send null for arguments that they do not need.
func (p *prepared) read(raw jsontext.Value) (values, error) {
	given := make(values)
	if raw.Kind() == '{' {
		_ = json.Unmarshal(raw, &given) // cannot fail, because the whole message was valid
	} else if raw != nil && raw.Kind() != 'n' {
		return nil, errors.New("the arguments are not a JSON object, or name one twice")
	}
	for name, value := range given {
		if find(p.arguments, name) == nil {
			return nil, p.unknown(name)
		}
		if value.Kind() == 'n' {
			delete(given, name)
		}
	}
	if err := given.checkSandbox(); err != nil {
		return nil, err
	}
	for name, value := range p.optional {
		if given[name] == nil {
			given[name] = jsontext.Value(value)
		}
	}
	for _, a := range p.arguments {
		if a.Required && given[a.Name] == nil {
			return nil, fmt.Errorf("%s requires the argument %s", p.name, a.Name)
		}
	}
	return given, nil
}

// checkSandbox checks that the sandbox argument, if there is one, is a non-empty string other than
// "*". A request with another value could affect a different sandbox or all sandboxes.
func (v values) checkSandbox() error {
	value, name := v[sandboxName], v.text(sandboxName)
	switch {
	case value == nil:
	case value.Kind() != '"':
		return fmt.Errorf("%s must be a string, not %s", sandboxName, field.KindName(value.Kind()))
	case name == "*":
		return fmt.Errorf("%s must name one sandbox, not all of them", sandboxName)
	case name == "":
		return fmt.Errorf("%s must not be empty; name a sandbox or leave it out", sandboxName)
	}
	return nil
}

// unknown returns the error for an unknown argument. The error lists the known arguments.
func (p *prepared) unknown(name string) error {
	var names []string
	for _, a := range p.arguments {
		names = append(names, a.Name)
	}
	hint := "."
	if near, ok := field.Nearest(name, names); ok {
		hint = "; did you mean " + near + "?"
	}
	return fmt.Errorf("%s does not take an argument %s%s It takes %s",
		p.name, field.Quote(name), hint, strings.Join(names, ", "))
}

// target describes the request that a tool makes.
type target struct {
	method, address string // address is the path, followed by the query if there is one
	body            []byte // may be nil
	sandbox         string // the sandbox that the call names, or ""
}

// request returns the request for an operation. Arguments that the operation does not take become
// query parameters, so that the operation rejects them.
func (p *prepared) request(operation string, given values) (*target, error) {
	r := p.requests[operation]
	t := &target{method: r.Method, address: r.Path, sandbox: given.text(sandboxName)}
	query, body := make(url.Values), make(values)
	for name, value := range given {
		a := cmp.Or(find(r.Arguments, name), &docs.Argument{In: "query"})
		list, err := texts(value)
		switch text := strings.Join(list, ","); {
		case name == sandboxName:
		case name == p.made.body:
			t.body = value
		case a.In == "body":
			body[name] = value
		case err != nil:
			return nil, fmt.Errorf("%s %w", name, err)
		case a.In == "path" && text == "":
			// An empty segment would make the path match another operation.
			return nil, fmt.Errorf("%s must not be empty", name)
		case a.In == "path":
			t.address = strings.ReplaceAll(t.address, "{"+name+"}", url.PathEscape(text))
		case a.Joined:
			query.Set(name, text)
		default:
			query[name] = list
		}
	}
	if len(query) > 0 {
		t.address += "?" + query.Encode()
	}
	if len(body) > 0 || r.NeedsBody && t.body == nil {
		var err error
		t.body, err = json.Marshal(body, json.Deterministic(true))
		return t, err
	}
	return t, nil
}

// texts returns the strings that represent a value in a URL. An array has one string for each
// element. The error means that the value is missing, null or an object, or that an element of the
// array is null, an object or an array.
func texts(value jsontext.Value) ([]string, error) {
	elements := []jsontext.Value{value}
	if value.Kind() == '[' {
		_ = json.Unmarshal(value, &elements) // cannot fail, because value is a valid JSON array
	}
	all := []string{}
	for _, element := range elements {
		text := string(element)
		switch element.Kind() {
		case '"':
			_ = json.Unmarshal(element, &text)
		case '0', 't', 'f':
		default:
			return nil, errors.New("must be a text, a number, a boolean or an array of them")
		}
		all = append(all, text)
	}
	return all, nil
}
