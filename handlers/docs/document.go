package docs

import (
	"bytes"
	_ "embed" // for the documents
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
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
	root func() *yaml.Node // parses on the first call; the result never changes
}

// All servers of the process share these documents.
var service, admin = newDocument(serviceSource), newDocument(adminSource)

// Service returns the document of the pet store.
func Service() *Document { return service }

// Admin returns the document of the control plane.
func Admin() *Document { return admin }

func newDocument(source []byte) *Document {
	return &Document{sync.OnceValue(func() *yaml.Node {
		var node yaml.Node
		if err := yaml.Unmarshal(source, &node); err != nil {
			// This cannot happen: a test parses both embedded documents.
			panic(fmt.Errorf("embedded OpenAPI document: %w", err))
		}
		return node.Content[0]
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
func (d *Document) YAML(now Now) []byte {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(d.fill(now)), encoder.Close()); err != nil {
		panic(err) // cannot happen: the document was parsed as YAML
	}
	return b.Bytes()
}

// JSON returns the document as JSON. The order of members is that of the YAML.
func (d *Document) JSON(now Now) []byte { return toJSON(d.fill(now)) }

// fill returns a copy of the document that shows the server's URL, the operations' lifecycles, and
// which operations require a key.
func (d *Document) fill(now Now) *yaml.Node {
	root := clone(d.root())
	if servers := child(root, "servers"); servers != nil {
		set(servers.Content[0], "url", text(now.Server))
	}
	for o := range operations(root) {
		if now.Keyed || now.Private && sandboxOpens(o.Node) {
			demandKey(o.Node)
		}
		if now.Lifecycle != nil {
			l := now.Lifecycle(o.id)
			describe(o.Node, &l)
		}
	}
	scheme := child(child(child(root, "components"), "securitySchemes"), "bearerAuth")
	if now.Private && scheme != nil { // the page then describes the key as the sandbox's key or the admin key
		set(scheme, "x-private", yes())
	}
	return root
}

// sandboxOpens reports whether the operation accepts a sandbox's key. Operations that concern the
// whole server require the admin key.
func sandboxOpens(operation *yaml.Node) bool {
	return slices.ContainsFunc(elements(child(operation, "security")), func(choice *yaml.Node) bool {
		return len(choice.Content) > 0 && child(choice, "adminKey") == nil
	})
}

// demandKey removes, from the operation's security requirements, the alternative that needs no key.
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

// operation is the node of an operation in a document, with its id, method and path.
type operation struct {
	*yaml.Node
	pathItem         *yaml.Node // the mapping that contains the operation
	id, method, path string
}

// operations yields every operation in the document that has an operationId.
func operations(root *yaml.Node) iter.Seq[operation] {
	return func(yield func(operation) bool) {
		for path, item := range members(child(root, "paths")) {
			for method, node := range members(item) {
				id := child(node, "operationId")
				if id != nil && !yield(operation{node, item, id.Value, strings.ToUpper(method), path}) {
					return
				}
			}
		}
	}
}

// parameters returns the parameters of the operation and of its path.
func (o *operation) parameters(root *yaml.Node) []*yaml.Node {
	all := slices.Concat(elements(child(o.pathItem, "parameters")), elements(child(o.Node, "parameters")))
	for i, p := range all {
		all[i] = resolved(root, p)
	}
	return all
}

// elements returns the elements of a sequence. It returns none if the sequence is missing.
func elements(sequence *yaml.Node) []*yaml.Node {
	if sequence == nil {
		return nil
	}
	return sequence.Content
}

// members yields the keys and values of a mapping. It yields none if the mapping is missing.
func members(mapping *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		if mapping == nil || mapping.Kind != yaml.MappingNode {
			return
		}
		for pair := range slices.Chunk(mapping.Content, 2) {
			if !yield(pair[0].Value, pair[1]) {
				return
			}
		}
	}
}

// child returns the value of a key in a mapping, or nil if the key or the mapping is missing.
func child(mapping *yaml.Node, key string) *yaml.Node {
	for name, value := range members(mapping) {
		if name == key {
			return value
		}
	}
	return nil
}

// set sets the value of a key in a mapping. It adds the key if it is missing.
func set(mapping *yaml.Node, key string, value *yaml.Node) {
	if old := child(mapping, key); old != nil {
		*old = *value
		return
	}
	mapping.Content = append(mapping.Content, text(key), value)
}

func remove(mapping *yaml.Node, key string) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return
		}
	}
}

func yes() *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"}
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
