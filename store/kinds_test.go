package store

import (
	"reflect"
	"testing"
)

// TestContentsHaveEveryKind holds what the tests compare of two states to the kinds of
// record that there are.
func TestContentsHaveEveryKind(t *testing.T) {
	t.Parallel()
	for kind := range reflect.TypeFor[Counts]().Fields() {
		if _, ok := reflect.TypeFor[contents]().FieldByName(kind.Name); !ok {
			t.Errorf("contents, in helpers_test.go, lacks %s", kind.Name)
		}
	}
}
