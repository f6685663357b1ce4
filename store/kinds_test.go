package store

import (
	"reflect"
	"testing"
)

// TestContentsHaveEveryKind checks that the contents that tests compare include every kind
// of record.
func TestContentsHaveEveryKind(t *testing.T) {
	t.Parallel()
	for kind := range reflect.TypeFor[Counts]().Fields() {
		if _, ok := reflect.TypeFor[contents]().FieldByName(kind.Name); !ok {
			t.Errorf("contents, in helpers_test.go, lacks %s", kind.Name)
		}
	}
}
