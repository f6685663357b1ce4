package programtest

import (
	"os"
	"os/exec"
	"testing"
)

// RequireTool skips the test if the tool is missing, or fails it if PETSTORE_REQUIRE_TOOLS is set.
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
