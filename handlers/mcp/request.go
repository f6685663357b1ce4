package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/store/field"
)

// prepared is a tool that is ready to be called.
type prepared struct {
	tool
	arguments []argument
	requests  map[string]docs.Request // by operationId
}

// prepare reads the tools' arguments from the documents.
func prepare(admin, service *docs.Document) []*prepared {
	all := make([]*prepared, 0, len(tools))
	for _, t := range tools {
		p := &prepared{tool: t, requests: make(map[string]docs.Request)}
		if t.operation != "" {
			r := admin.Request(t.operation)
			p.requests[t.operation] = r
			p.arguments = t.arguments(r)
		}
		if t.made != nil && t.made.prepare != nil {
			t.made.prepare(p, service)
		}
		t.withDefaults(p.arguments)
		if t.made == nil || !t.made.everywhere {
			p.arguments = append(p.arguments, sandboxArgument())
		}
		all = append(all, p)
	}
	return all
}

// values are arguments by name, as JSON.
type values map[string]jsontext.Value

// text returns an argument as it appears in a URL, or "" if it is missing.
func (v values) text(name string) string {
	texts, _ := texts(v[name])
	return strings.Join(texts, ",")
}

// read reads the arguments of a call. It drops null values, which models send for arguments that
// they do not need.
func (p *prepared) read(raw []byte) (values, error) {
	given := make(values)
	if len(bytes.TrimSpace(raw)) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, errors.New("the arguments are not a JSON object, or name one twice")
		}
	}
	for name, value := range given {
		if !slices.ContainsFunc(p.arguments, func(a argument) bool { return a.Name == name }) {
			return nil, p.unknown(name)
		}
		if value.Kind() == 'n' {
			delete(given, name)
		}
	}
	if err := checkText(given[sandboxName]); err != nil {
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

// checkText refuses texts that an operation would take for another sandbox than intended.
// Operations refuse other invalid names.
func checkText(value jsontext.Value) error {
	switch {
	case value == nil:
	case value.Kind() != '"':
		return fmt.Errorf("%s must be a string, not %s", sandboxName, field.KindName(value.Kind()))
	case string(value) == `"*"`:
		return fmt.Errorf("%s must name one sandbox, not all of them", sandboxName)
	case string(value) == `""`:
		return fmt.Errorf("%s must not be empty; name a sandbox or leave it out", sandboxName)
	}
	return nil
}

// unknown returns the error for an unknown argument, with the known ones.
func (p *prepared) unknown(name string) error {
	var names []string
	for _, a := range p.arguments {
		names = append(names, a.Name)
	}
	hint := "."
	if near, ok := field.Nearest(name, names); ok {
		hint = "; did you mean " + near + "?"
	}
	return fmt.Errorf("%s does not take an argument %s%s It takes %s", p.name, field.Quote(name), hint, strings.Join(names, ", "))
}

// target is a request to make.
type target struct {
	method, path string
	query        url.Values
	body         []byte // may be nil
}

// request returns the request for an operation. Unknown arguments become query parameters, so that
// the operation refuses them.
func (p *prepared) request(operation string, given values) (*target, error) {
	r := p.requests[operation]
	t := &target{method: r.Method, path: r.Path, query: make(url.Values)}
	body := make(values)
	for name, value := range given {
		switch {
		case name == sandboxName:
			continue
		case p.made != nil && name == p.made.body:
			t.body = value
			continue
		}
		i := slices.IndexFunc(r.Arguments, func(a docs.Argument) bool { return a.Name == name })
		if i >= 0 && r.Arguments[i].In == "body" {
			body[name] = value
			continue
		}
		list, err := texts(value)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s %w", name, err)
		case i >= 0 && r.Arguments[i].In == "path" && strings.Join(list, "") == "":
			return nil, fmt.Errorf("%s must not be empty", name) // otherwise the path would be another one
		case i >= 0 && r.Arguments[i].In == "path":
			t.path = strings.ReplaceAll(t.path, "{"+name+"}", url.PathEscape(strings.Join(list, ",")))
		case i >= 0 && r.Arguments[i].Joined:
			t.query.Set(name, strings.Join(list, ","))
		default:
			t.query[name] = list
		}
	}
	if len(body) > 0 || r.NeedsBody && t.body == nil {
		var err error
		t.body, err = json.Marshal(body, json.Deterministic(true))
		return t, err
	}
	return t, nil
}

// texts returns a value as it appears in a URL: one text per element of an array.
func texts(value jsontext.Value) ([]string, error) {
	if value == nil {
		return nil, nil
	}
	elements := []jsontext.Value{value}
	if value.Kind() == '[' {
		if err := json.Unmarshal(value, &elements); err != nil {
			return nil, err
		}
	}
	all := []string{}
	for _, element := range elements {
		switch element.Kind() {
		case '"':
			var text string
			if err := json.Unmarshal(element, &text); err != nil {
				return nil, err
			}
			all = append(all, text)
		case '0', 't', 'f':
			all = append(all, string(element))
		default:
			return nil, errors.New("must be a text, a number, a boolean or an array of them")
		}
	}
	return all, nil
}
