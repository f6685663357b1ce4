package admin_test

import (
	"slices"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// scenarios returns the scenarios of the control plane's operations.
func scenarios() []Scenario {
	return slices.Concat(
		adminScenarios(), adminEventScenarios(), resetScenarios(), stateScenarios(), worldScenarios(), snapshotScenarios(), sandboxScenarios(), templateScenarios(), workshopScenarios(),
		clockScenarios(), metricsScenarios(), mcpScenarios(), operationScenarios(), patchScenarios(), reportScenarios(), faultScenarios(), requestScenarios(), webhookScenarios(),
	)
}

func TestScenariosAreComplete(t *testing.T) {
	t.Parallel()
	Complete(t, AdminDocument(), scenarios())
}
