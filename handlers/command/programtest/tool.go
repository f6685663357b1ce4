package programtest

import (
	"os"
	"os/exec"
	"testing"
)

// RequireTool skips the test where the tool is missing, or fails it where
// PETSTORE_REQUIRE_TOOLS is set.
func RequireTool(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	if os.Getenv("PETSTORE_REQUIRE_TOOLS") != "" {
		t.Fatalf("%s is missing", name)
	}
	t.Skipf("%s is missing", name)
}
