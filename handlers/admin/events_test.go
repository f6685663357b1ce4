package admin_test

import (
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

func TestAdminEvents(t *testing.T) { runScenarios(t, adminEventScenarios()) }

func adminEventScenarios() []scenario { return contracttest.StreamScenarios("/admin/events", "root") }
