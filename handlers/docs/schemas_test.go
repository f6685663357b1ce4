package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers/internal/must"
)

// specified are the required fields of the schemas in section 2 of the design.
var specified = map[string][]string{
	"NewPet":          {"categoryId", "name"},
	"Pet":             {"categoryId", "id", "name"},
	"NewCategory":     {"name"},
	"Category":        {"id", "name"},
	"Order":           {},
	"InventoryItem":   {"petId", "quantity", "status"},
	"InventoryUpdate": {"quantity"},
	"NewMessage":      {"message"},
	"Message":         {"createdAt", "id", "message"},
	"Error":           {"code", "message", "status"},
	"ErrorDetail":     {"field", "message"},
}

func load(t *testing.T, d *Document) *openapi3.T {
	t.Helper()
	return must.Get(openapi3.NewLoader().LoadFromData(d.JSON(Now{})))(t)
}

// TestRequiredFields checks that each schema has the same required fields in every
// document, and that none of its fields is nullable.
func TestRequiredFields(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*Document{"openapi.yaml": Service(), "admin.yaml": Admin()} {
		schemas := load(t, d).Components.Schemas
		for schema, want := range specified {
			ref := schemas[schema]
			if ref == nil {
				if name == "openapi.yaml" {
					t.Errorf("%s has no %s", name, schema)
				}
				continue
			}
			fields := fieldsOf(ref.Value)
			var required []string
			for _, field := range slices.Sorted(maps.Keys(fields)) {
				if fields[field].required {
					required = append(required, field)
				}
				if fields[field].nullable {
					t.Errorf("%s: %s of %s is nullable", name, field, schema)
				}
			}
			if !slices.Equal(required, want) {
				t.Errorf("%s: %s requires %v, want %v", name, schema, required, want)
			}
		}
	}
}

type traits struct{ required, nullable bool }

// fieldsOf returns the fields of an object, including those of its allOf schemas.
func fieldsOf(schema *openapi3.Schema) map[string]traits {
	fields := make(map[string]traits)
	for _, part := range schema.AllOf {
		for name, f := range fieldsOf(part.Value) {
			fields[name] = traits{f.required || fields[name].required, f.nullable || fields[name].nullable}
		}
	}
	for name, property := range schema.Properties {
		fields[name] = traits{fields[name].required, fields[name].nullable || property.Value.Nullable}
	}
	for _, name := range schema.Required {
		fields[name] = traits{true, fields[name].nullable}
	}
	return fields
}

// TestIntegersHaveAFormat checks the format of integers, from which generators choose a type.
func TestIntegersHaveAFormat(t *testing.T) {
	t.Parallel()
	everySchema(t, func(place string, schema map[string]any) {
		if schema["type"] != "integer" {
			return
		}
		format, _ := schema["format"].(string)
		if !slices.Contains([]string{"int32", "int64", "uint64"}, format) {
			t.Errorf("%s is an integer of format %q", place, format)
		}
		if most, ok := schema["maximum"].(float64); ok && (most < 1<<31) != (format == "int32") {
			t.Errorf("%s is %s, though its maximum is %.0f", place, format, most)
		}
	})
}

// TestFieldsHaveNoDefault checks that defaults of fields are only in descriptions. Generators
// assume that a field with a default is always present, and require it in request bodies.
func TestFieldsHaveNoDefault(t *testing.T) {
	t.Parallel()
	everySchema(t, func(place string, schema map[string]any) {
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			if _, has := property.(map[string]any)["default"]; has {
				t.Errorf("%s/%s has a default", place, name)
			}
		}
	})
}

// everySchema calls visit with every mapping of both documents that may be a schema.
func everySchema(t *testing.T, visit func(place string, schema map[string]any)) {
	t.Helper()
	var walk func(place string, node any)
	walk = func(place string, node any) {
		switch node := node.(type) {
		case map[string]any:
			visit(place, node)
			for key, child := range node {
				walk(place+"/"+key, child)
			}
		case []any:
			for i, child := range node {
				walk(fmt.Sprintf("%s/%d", place, i), child)
			}
		}
	}
	for name, d := range map[string]*Document{"openapi.yaml": Service(), "admin.yaml": Admin()} {
		var root map[string]any
		must.Succeed(t, json.Unmarshal(d.JSON(Now{}), &root))
		walk(name, root)
	}
}
