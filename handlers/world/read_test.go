package world_test

import (
	"testing"

	"example.com/petstore/handlers/world"
)

// TestReadIgnoresAByteOrderMark reads a world as some editors save it.
func TestReadIgnoresAByteOrderMark(t *testing.T) {
	t.Parallel()
	sb := newRegistry(t).Default().Sandbox
	text := string(written(t, sb))
	if _, err := world.Read([]byte("\ufeff"+text), sb, nil); err != nil {
		t.Error(err)
	}
	if _, err := world.Read([]byte("\ufeff\ufeff"+text), sb, nil); err == nil {
		t.Error("a second one is ignored too")
	}
}
