// Package testmain runs the tests of a package.
package testmain

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

// gcPercent lets the heap of tests grow further between collections: tests make many small worlds
// and keep none, so the collector took a fifth of their time. GOGC in the environment overrides it.
const gcPercent = 400

// draws is the number of cases of a rapid test without the flag -rapid.checks. .ci/run sets the flag
// higher.
const draws = "25"

// Run is TestMain of a package: it runs the tests and ends the process. It fails if a goroutine
// outlives the tests.
func Run(m interface{ Run() int }) {
	CollectLess()
	if f := flag.Lookup("rapid.checks"); f != nil {
		_ = f.Value.Set(draws) // before the command line is parsed
	}
	goleak.VerifyTestMain(m)
}

// CollectLess is the part of Run for a TestMain that ends the process itself.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// Bubble makes a test parallel and runs it where time passes only while all its goroutines wait.
func Bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}
