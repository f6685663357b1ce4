package handlers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// checkFields wants every field of a JSON body described: schemas allow more than
// they name, so that clients take what later versions add.
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
	s = plain(s)
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
