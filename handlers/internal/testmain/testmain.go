// Package testmain runs the tests of a package.
package testmain

import (
	"os"
	"runtime/debug"

	"go.uber.org/goleak"
)

// gcPercent is how much the heap of tests grows before it is collected: tests make many
// small worlds and keep none, so that a fifth of their time went to the collector.
// GOGC in the environment says otherwise.
const gcPercent = 400

// Run is TestMain of a package: it runs the tests, ends the process, and fails when a
// goroutine outlives them.
func Run(m interface{ Run() int }) {
	CollectLess()
	goleak.VerifyTestMain(m)
}

// CollectLess is the part of Run that a TestMain with an end of its own needs.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
