package contracttest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/contracttest"
)

// call is a drawn request.
type call struct {
	method, target string // target is the path without a query
	path           map[string]string
	query          []queryPart
	header         http.Header
	body           any    // a JSON value, or nil if there is none
	raw            []byte // replaces the body if not nil
}

// queryPart is one name=value of a query, as plain text.
type queryPart struct{ name, value string }

// drawCall draws a request that the document allows.
func drawCall(t *rapid.T, op *schemaOperation) *call {
	c := &call{method: op.method, target: op.path, path: map[string]string{},
		header: http.Header{"Authorization": {"Bearer demo-key"}}}
	if c.method == http.MethodGet && rapid.IntRange(0, 9).Draw(t, "HEAD") == 0 {
		c.method = http.MethodHead
	}
	for _, ref := range op.parameters {
		c.drawParameter(t, op, ref.Value)
	}
	if rapid.IntRange(0, 3).Draw(t, "prefix") == 0 {
		c.target = "/sandboxes/ada" + c.target
		delete(c.header, "X-Sandbox")
	}
	if op.RequestBody == nil || !op.RequestBody.Value.Required && rapid.Bool().Draw(t, "no body") {
		return c
	}
	types := slices.Sorted(maps.Keys(op.RequestBody.Value.Content))
	mediaType := rapid.SampledFrom(types).Draw(t, "Content-Type")
	c.header.Set("Content-Type", mediaType)
	c.body = drawValue(t, op.RequestBody.Value.Content[mediaType].Schema.Value, "body")
	for _, name := range op.kept {
		if body := c.body.(map[string]any); body[name] == nil {
			delete(body, name)
		}
	}
	if settle := inWords[op.OperationID]; settle != nil {
		settle(t, c)
	}
	return c
}

func (c *call) drawParameter(t *rapid.T, op *schemaOperation, p *openapi3.Parameter) {
	if !p.Required && rapid.IntRange(0, 2).Draw(t, p.Name+" given") > 0 {
		return
	}
	texts := []string{""}
	switch known := parametersInWords(op)[p.Name]; {
	case known != nil && (p.In != "path" || rapid.Bool().Draw(t, p.Name+" known")):
		texts[0] = rapid.SampledFrom(known).Draw(t, p.Name)
	case p.Schema.Value.Type.Is("array"):
		list := drawValue(t, p.Schema.Value, p.Name).([]any)
		texts = texts[:0]
		for _, item := range list[:min(len(list), 100)] {
			texts = append(texts, parameterText(item))
		}
		if p.Explode != nil && !*p.Explode {
			texts = []string{strings.Join(texts, ",")}
		}
	default:
		texts[0] = parameterText(drawValue(t, p.Schema.Value, p.Name))
	}
	switch p.In {
	case "path":
		c.path[p.Name] = texts[0]
	case "query":
		for _, text := range texts {
			c.query = append(c.query, queryPart{p.Name, text})
		}
	case "header":
		c.header.Set(p.Name, texts[0])
	}
}

func parameterText(value any) string { return fmt.Sprint(value) }

// text returns the encoded body.
func (c *call) text() []byte {
	if c.raw != nil || c.body == nil {
		return c.raw
	}
	text, err := json.Marshal(c.body)
	if err != nil {
		panic(err)
	}
	return text
}

func (c *call) request(ctx context.Context) *http.Request {
	target := c.target
	for name, value := range c.path {
		target = strings.ReplaceAll(target, "{"+name+"}", url.PathEscape(value))
	}
	var query []string
	for _, part := range c.query {
		query = append(query, url.QueryEscape(part.name)+"="+url.QueryEscape(part.value))
	}
	if len(query) > 0 {
		target += "?" + strings.Join(query, "&")
	}
	var body io.Reader
	if text := c.text(); len(text) > 0 {
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, c.method, "http://127.0.0.1"+target, body)
	if err != nil {
		panic(err)
	}
	maps.Copy(r.Header, c.header)
	return r
}

// drawValue draws a JSON value that the schema allows.
func drawValue(t *rapid.T, s *openapi3.Schema, label string) any {
	s = contracttest.Plain(s)
	switch {
	case len(s.Enum) > 0:
		return rapid.SampledFrom(s.Enum).Draw(t, label)
	case s.Type.Is("object"):
		return drawObject(t, s, label)
	case s.Type.Is("array"):
		list := make([]any, rapid.IntRange(int(s.MinItems), 3).Draw(t, label+" length"))
		for i := range list {
			list[i] = drawValue(t, s.Items.Value, fmt.Sprintf("%s[%d]", label, i))
		}
		return list
	case s.Type.Is("integer"):
		least, most := bounds(s)
		small := rapid.Int64Range(least, min(most, max(least, 0)+9))
		return rapid.OneOf(small, small, rapid.Int64Range(least, most)).Draw(t, label)
	case s.Type.Is("number"):
		most := 1e6
		if s.Max != nil {
			most = *s.Max
		}
		return rapid.Float64Range(*s.Min, most).Draw(t, label)
	case s.Type.Is("boolean"):
		return rapid.Bool().Draw(t, label)
	}
	return drawText(t, s, label)
}

// bounds returns the least and the greatest allowed value of an integer.
func bounds(s *openapi3.Schema) (least, most int64) {
	least, most = math.MinInt64, math.MaxInt64
	if s.Min != nil {
		least = int64(*s.Min)
	}
	if s.Max != nil {
		most = int64(*s.Max)
	}
	return least, most
}

func drawObject(t *rapid.T, s *openapi3.Schema, label string) any {
	object := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name].Value
		required := slices.Contains(s.Required, name)
		switch {
		case property.ReadOnly: // only the server sets it
		case !required && rapid.Bool().Draw(t, label+"."+name+" left out"):
		case !required && rapid.IntRange(0, 9).Draw(t, label+"."+name+" null") == 0:
			object[name] = nil // documented to count as left out
		default:
			object[name] = drawValue(t, property, label+"."+name)
		}
	}
	if s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil &&
		rapid.IntRange(0, 9).Draw(t, label+" more") == 0 {
		object["unheardOf"] = []any{"a client's own"}
	}
	return object
}

func drawText(t *rapid.T, s *openapi3.Schema, label string) string {
	least, most := int(s.MinLength), math.MaxInt
	if s.MaxLength != nil {
		most = int(*s.MaxLength)
	}
	switch {
	case s.Format == "date-time":
		return rapid.StringMatching(`20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[+-](0[0-9]|1[0-3]):[0-5][0-9])`).Draw(t, label)
	case s.Pattern != "":
		return rapid.StringMatching(s.Pattern).Draw(t, label)
	case most < math.MaxInt && rapid.IntRange(0, 9).Draw(t, label+" longest") == 0:
		return strings.Repeat("\U0001F436", most)
	}
	return rapid.StringN(least, min(most, 20), -1).Draw(t, label)
}
