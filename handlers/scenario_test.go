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

// controlScenarios are those of the operations of the control plane.
func controlScenarios() []scenario {
	return slices.Concat(
		adminScenarios(), adminEventScenarios(), resetScenarios(), stateScenarios(), snapshotScenarios(), sandboxScenarios(),
		clockScenarios(), operationScenarios(), reportScenarios(), faultScenarios(), requestScenarios(),
	)
}

func TestServiceScenariosAreComplete(t *testing.T) {
	t.Parallel()
	contracttest.Complete(t, serviceDocument(), serviceScenarios())
}

func TestAdminScenariosAreComplete(t *testing.T) {
	t.Parallel()
	contracttest.Complete(t, adminDocument(), controlScenarios())
}
