// Package testmain runs the tests of a package.
package testmain

import (
	"flag"
	"os"
	"runtime/debug"

	"go.uber.org/goleak"
)

// gcPercent is how much the heap of tests grows before it is collected: tests make many
// small worlds and keep none, so that a fifth of their time went to the collector.
// GOGC in the environment says otherwise.
const gcPercent = 400

// draws is how many cases a test of rapid draws, where -rapid.checks does not say so.
// .ci/run draws more.
const draws = "25"

// Run is TestMain of a package: it runs the tests, ends the process, and fails when a
// goroutine outlives them.
func Run(m interface{ Run() int }) {
	CollectLess()
	if f := flag.Lookup("rapid.checks"); f != nil {
		_ = f.Value.Set(draws) // before the command line is read
	}
	goleak.VerifyTestMain(m)
}

// CollectLess is the part of Run that a TestMain with an end of its own needs.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
