package contracttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// checkFields returns an error if a field in a JSON body is not in the document. Validation does
// not detect that, because the schemas allow additional fields, so that clients accept those of
// later versions.
func checkFields(described *openapi3.Response, mediaType string, body []byte) error {
	content := described.Content[mediaType]
	if mediaType != "application/json" || content == nil || len(body) == 0 {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return checkDescribed(content.Schema.Value, value, "")
}

func checkDescribed(s *openapi3.Schema, value any, place string) error {
	s = Plain(s)
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			if err := checkDescribed(s.Items.Value, item, fmt.Sprintf("%s/%d", place, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			schema, ok := s.Properties[name]
			if any := s.AdditionalProperties.Has; !ok && any != nil && *any {
				continue // Model Context Protocol objects, specified elsewhere
			}
			if !ok {
				schema = s.AdditionalProperties.Schema
			}
			if schema == nil {
				return fmt.Errorf("the field %s/%s is not in the document", place, name)
			}
			if err := checkDescribed(schema.Value, value[name], place+"/"+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Plain returns s merged with the schemas in its allOf. For anyOf, it returns the first
// alternative, because the documents use anyOf only to allow null.
func Plain(s *openapi3.Schema) *openapi3.Schema {
	if len(s.AnyOf) > 0 {
		return Plain(s.AnyOf[0].Value)
	}
	if len(s.AllOf) == 0 {
		return s
	}
	merged := *s
	merged.AllOf, merged.Properties = nil, maps.Clone(s.Properties)
	if merged.Properties == nil {
		merged.Properties = openapi3.Schemas{}
	}
	for _, ref := range s.AllOf {
		part := Plain(ref.Value)
		if part.Type != nil {
			merged.Type = part.Type
		}
		merged.Required = slices.Concat(merged.Required, part.Required)
		maps.Copy(merged.Properties, part.Properties)
		merged.Enum = slices.Concat(merged.Enum, part.Enum)
		merged.Format, merged.Pattern = merged.Format+part.Format, merged.Pattern+part.Pattern
		if part.AdditionalProperties.Has != nil {
			merged.AdditionalProperties = part.AdditionalProperties
		}
	}
	return &merged
}
