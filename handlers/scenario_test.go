package handlers_test

import (
	"slices"
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

// serviceScenarios are those of the operations of the service.
func serviceScenarios() []scenario {
	return slices.Concat(
		petScenarios(), categoryScenarios(), orderScenarios(), inventoryScenarios(), messageScenarios(),
		healthScenarios(), eventScenarios(), preconditionScenarios(),
	)
}

func TestServiceScenariosAreComplete(t *testing.T) {
	t.Parallel()
	contracttest.Complete(t, serviceDocument(), serviceScenarios())
}
