package registry

import (
	"errors"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
)

// TestFullServerKeepsItsSandboxes checks that a server without memory creates no sandboxes and
// still returns the existing ones.
func TestFullServerKeepsItsSandboxes(t *testing.T) {
	t.Parallel()
	full := memory.New(1, time.Now) // byte
	r := New(Options{Options: sandbox.Options{Origin: sandbox.Baseline{State: new(store.State)}, MaxRecords: 10, Machine: time.Now, Memory: full}}, 2, 0)
	if _, _, err := r.Hold(sandbox.Default); err != nil {
		t.Errorf("the default sandbox: %v", err)
	}
	if _, _, err := r.Make(sandbox.Default, CreateOptions{}); err != nil {
		t.Errorf("the default sandbox, made again: %v", err)
	}
	if _, _, err := r.Hold("ada"); !errors.Is(err, memory.ErrFull) {
		t.Errorf("a new sandbox: %v, want %v", err, memory.ErrFull)
	}
	if _, err := r.Generate(1, fixtures.Sizes{Categories: 1}); !errors.Is(err, memory.ErrFull) {
		t.Errorf("generated data: %v, want %v", err, memory.ErrFull)
	}
}
