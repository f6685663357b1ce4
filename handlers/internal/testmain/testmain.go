// Package testmain provides TestMain for the packages of this module.
package testmain

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

// gcPercent is the garbage collection target percentage in tests. It is high because tests create
// many short-lived objects: by default, the collector took a fifth of their time. GOGC in the
// environment overrides it.
const gcPercent = 400

// draws is the default of the flag -rapid.checks, the number of cases in a test that uses rapid.
// .ci/run sets the flag to a larger number.
const draws = "25"

// Run runs the tests of a package and exits. It fails if a goroutine is still running after the
// tests.
func Run(m interface{ Run() int }) {
	CollectLess()
	if f := flag.Lookup("rapid.checks"); f != nil {
		_ = f.Value.Set(draws) // before flags are parsed
	}
	goleak.VerifyTestMain(m)
}

// CollectLess sets the garbage collection target percentage for tests. Run calls it.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// Bubble makes t parallel and runs test in a [testing/synctest] bubble, in which time is fake.
func Bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
