package docs

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// toJSON returns a YAML document as JSON. It keeps the order of mappings, because documentation
// tools show the operations in that order.
func toJSON(document *yaml.Node) ([]byte, error) {
	var b bytes.Buffer
	if err := writeJSON(jsontext.NewEncoder(&b), document.Content[0]); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func writeJSON(out *jsontext.Encoder, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		open, end := jsontext.BeginObject, jsontext.EndObject
		if n.Kind == yaml.SequenceNode {
			open, end = jsontext.BeginArray, jsontext.EndArray
		}
		if err := out.WriteToken(open); err != nil {
			return err
		}
		for i, child := range n.Content {
			var err error
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				err = out.WriteToken(jsontext.String(child.Value)) // a key is a string even if it looks like a number
			} else {
				err = writeJSON(out, child)
			}
			if err != nil {
				return err
			}
		}
		return out.WriteToken(end)
	case yaml.ScalarNode:
		if n.Tag == "!!timestamp" {
			return out.WriteToken(jsontext.String(n.Value)) // JSON has no dates, so a date becomes a string
		}
		var value any
		if err := n.Decode(&value); err != nil {
			return err
		}
		return json.MarshalEncode(out, value)
	}
	return fmt.Errorf("line %d of the OpenAPI document: a YAML node of kind %d has no JSON", n.Line, n.Kind)
}
