package docs

import (
	"bytes"
	_ "embed" // for the documents
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"example.com/petstore/handlers/sandbox/lifecycle"
)

var (
	//go:embed openapi.yaml
	serviceSource []byte
	//go:embed admin.yaml
	adminSource []byte
)

// Document is an OpenAPI document. It is safe for concurrent use.
type Document struct {
	parse func() *yaml.Node // parses on the first call; the result never changes
}

// All servers of the process share these documents.
var service, admin = newDocument(serviceSource), newDocument(adminSource)

// Service returns the document of the pet store.
func Service() *Document { return service }

// Admin returns the document of the control plane.
func Admin() *Document { return admin }

func newDocument(source []byte) *Document {
	return &Document{parse: sync.OnceValue(func() *yaml.Node {
		node := new(yaml.Node)
		if err := yaml.Unmarshal(source, node); err != nil {
			// This cannot happen: a test parses both embedded documents.
			panic(fmt.Errorf("embedded OpenAPI document: %w", err))
		}
		return node
	})}
}

// Now describes the state of the server and of a sandbox, for a document that shows this state.
type Now struct {
	Server    string                                       // the base URL of the sandbox
	Lifecycle func(operationID string) lifecycle.Lifecycle // nil leaves the document's lifecycles unchanged
	Keyed     bool                                         // operations that accept a key require one
	Private   bool                                         // see registry.Entry.Private
}

// YAML returns the document as YAML.
func (d *Document) YAML(now Now) ([]byte, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(d.fill(now)); err != nil {
		return nil, err
	}
	return b.Bytes(), encoder.Close()
}

// JSON returns the document as JSON. The order of members is that of the YAML.
func (d *Document) JSON(now Now) ([]byte, error) { return toJSON(d.fill(now).Content[0]), nil }

// fill returns a copy of the document that contains the server's URL, the operations' lifecycles
// and the required keys.
func (d *Document) fill(now Now) *yaml.Node {
	document := clone(d.parse())
	root := document.Content[0]
	if servers := child(root, "servers"); servers != nil {
		set(servers.Content[0], "url", text(now.Server))
	}
	for operation := range operations(root) {
		if now.Keyed || now.Private && sandboxOpens(operation) {
			demandKey(operation)
		}
		if now.Lifecycle != nil {
			l := now.Lifecycle(child(operation, "operationId").Value)
			describe(operation, &l)
		}
	}
	if now.Private {
		markPrivate(root)
	}
	return document
}

// markPrivate marks the security scheme of the service, so that the page describes the key as the
// sandbox's key or the admin key.
func markPrivate(root *yaml.Node) {
	scheme := root
	for _, key := range []string{"components", "securitySchemes", "bearerAuth"} {
		if scheme = child(scheme, key); scheme == nil {
			return
		}
	}
	set(scheme, "x-private", yes())
}

// sandboxOpens reports whether the operation accepts a sandbox's key. Operations that concern the
// whole server require the admin key.
func sandboxOpens(operation *yaml.Node) bool {
	security := child(operation, "security")
	return security != nil && slices.ContainsFunc(security.Content, func(choice *yaml.Node) bool {
		return len(choice.Content) > 0 && child(choice, "adminKey") == nil
	})
}

// demandKey removes the security requirement that needs no key from the operation's alternatives.
func demandKey(operation *yaml.Node) {
	if security := child(operation, "security"); security != nil {
		security.Content = slices.DeleteFunc(security.Content, func(choice *yaml.Node) bool {
			return len(choice.Content) == 0
		})
	}
}

// lifecycleFields are the lifecycle fields that documentation tools read.
var lifecycleFields = []string{"deprecated", "x-deprecated-sunset", "x-sunset", "x-stability"}

// describe replaces the operation's lifecycle fields with those of l.
func describe(operation *yaml.Node, l *lifecycle.Lifecycle) {
	for _, field := range lifecycleFields {
		remove(operation, field)
	}
	if l.Deprecated {
		set(operation, "deprecated", yes())
	}
	if !l.Sunset.IsZero() {
		date := l.Sunset.UTC().Format(time.DateOnly)
		set(operation, "x-deprecated-sunset", text(date))
		set(operation, "x-sunset", text(date))
	}
	if l.Stability != "" {
		set(operation, "x-stability", text(string(l.Stability)))
	}
}

// operations yields every operation of the document.
func operations(root *yaml.Node) func(func(*yaml.Node) bool) {
	return func(yield func(*yaml.Node) bool) {
		paths := child(root, "paths")
		for i := 1; i < len(paths.Content); i += 2 {
			item := paths.Content[i]
			for j := 1; j < len(item.Content); j += 2 {
				if child(item.Content[j], "operationId") != nil && !yield(item.Content[j]) {
					return
				}
			}
		}
	}
}

// child returns the value of a key in a mapping, or nil if the key is missing.
func child(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// set sets the value of a key in a mapping.
func set(mapping *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i+1] = value
			return
		}
	}
	mapping.Content = append(mapping.Content, text(key), value)
}

func remove(mapping *yaml.Node, key string) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = append(mapping.Content[:i], mapping.Content[i+2:]...)
			return
		}
	}
}

func yes() *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(true)}
}

func text(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// clone returns a deep copy of a node. The documents contain no aliases.
func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = clone(child)
	}
	return &c
}
