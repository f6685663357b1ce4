// Package petstoretest runs the pet store inside a Go test: no process and no
// port to manage. A test has a server of its own,
//
//	func TestShop(t *testing.T) {
//		srv := petstoretest.Run(t)
//		shop := NewShop(srv.URL) // the code under test
//		…
//	}
//
// which takes a millisecond or less, or a sandbox of its own on a server that it
// shares, which takes microseconds however much data there is:
//
//	var srv *petstoretest.Server
//
//	func TestMain(m *testing.M) {
//		var err error
//		if srv, err = petstoretest.Start(); err != nil {
//			log.Fatal(err)
//		}
//		defer srv.Close()
//		m.Run()
//	}
//
//	func TestShop(t *testing.T) {
//		t.Parallel()
//		pets := srv.For(t).Sandbox(t.Name())
//		shop := NewShop(pets.URL)
//		…
//	}
//
// Either way the test does to the store what it needs, without HTTP and at once:
//
//	pets.Fault(petstoretest.Rule{Status: new(503), Times: new(2)}) // two answers fail
//	pets.Advance(72 * time.Hour)                                   // three days go by
//	pets.Reset()                                                   // like new
//
// The server is its default sandbox as well; srv.Sandbox("default") is that one for
// a function that takes a *Sandbox.
//
// A connection that a fault resets is not always seen by the code under test:
// net/http's client repeats a GET by itself, and a POST with an Idempotency-Key,
// where the connection was used before. The journal shows both requests; without
// keep-alive, or with Times left out, the client sees the reset.
//
// # What the admin API does
//
// Each of its operations is a method, of [Sandbox] or of [Server]:
//
//	getAdmin          Name Baseline State Clock Faults JournalSize Undoable Snapshots Sandboxes
//	resetSandbox      Reset ResetTo
//	exportState       Export
//	importState       Import ImportBaseline
//	diffState         Diff DiffFrom
//	undoWrites        Undo
//	listSnapshots     Snapshots
//	keepSnapshot      Snapshot
//	dropSnapshot      DropSnapshot
//	restoreSnapshot   Restore
//	getClock          Now Clock
//	setClock          SetTime Advance Freeze Unfreeze
//	releaseClock      ReleaseClock
//	listOperations    Operations Lifecycle
//	setLifecycle      SetLifecycle
//	resetLifecycle    ResetLifecycle
//	getReport         Report ReportJUnit
//	listFaults        Faults
//	createFault       Fault
//	replaceFaults     SetFaults
//	clearFaults       ClearFaults
//	deleteFault       DropFault
//	listRequests      Requests WaitForRequests
//	clearRequests     ClearRequests
//	streamAdminEvents Listen
//	listSandboxes     Sandboxes
//	makeSandbox       Sandbox
//	dropSandbox       Drop
//	forkSandbox       Fork
//
// # Files
//
//	server.go    Server: Run and Start, and the sandboxes of one
//	options.go   Option: what Run and Start can be asked for
//	memory.go    connections that lie in memory
//	sandbox.go   Sandbox: reset, fork, drop, and how misuse ends a test
//	name.go      the name of the sandbox of a test
//	problems.go  what is wrong with a rule, a filter or a lifecycle, by Go's names
//	state.go     its data: out, in, what changed, undo
//	snapshots.go states kept under names
//	clock.go     its time
//	lifecycle.go what operations say about their age
//	report.go    who uses what is deprecated
//	faults.go    what goes wrong
//	requests.go  what it was asked: journal and events
//	types.go     names for the types of other packages, so that a test imports this one alone
package petstoretest
