package handlers_test

import (
	"slices"
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

// serviceScenarios are the scenarios of the service's operations.
func serviceScenarios() []Scenario {
	return slices.Concat(
		petScenarios(), categoryScenarios(), orderScenarios(), inventoryScenarios(), messageScenarios(),
		healthScenarios(), eventScenarios(), CommonScenarios(ServiceDocument()),
	)
}

func TestServiceScenariosAreComplete(t *testing.T) {
	t.Parallel()
	Complete(t, ServiceDocument(), serviceScenarios(), "../testdata/transcripts")
}

func TestCommonScenarios(t *testing.T) { RunScenarios(t, CommonScenarios(ServiceDocument())) }

func TestMain(m *testing.M) { Main(browsertest.Closing(m)) }
