package admin_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

// TestDocumentHasTheParts compares the parts in the document with the parts that a reset accepts.
func TestDocumentHasTheParts(t *testing.T) {
	t.Parallel()
	var documented []sandbox.Part
	for _, part := range AdminDocument().Components.Schemas["Part"].Value.Enum {
		documented = append(documented, sandbox.Part(part.(string)))
	}
	slices.Sort(documented)
	if diff := cmp.Diff(slices.Sorted(slices.Values(sandbox.Parts())), documented); diff != "" {
		t.Errorf("parts, -sandbox +document:\n%s", diff)
	}
}
