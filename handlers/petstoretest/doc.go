// Package petstoretest runs the pet store inside a Go test: no process and no port to
// manage. A test has its own server,
//
//	func TestShop(t *testing.T) {
//		srv := petstoretest.Run(t)
//		shop := NewShop(srv.URL) // the code under test
//		…
//	}
//
// which takes a millisecond or less, or its own sandbox on a shared server, which
// takes microseconds however much data there is:
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
// Either way the test controls the store directly, without HTTP:
//
//	pets.Fault(petstoretest.Rule{Status: new(503), Times: new(2)}) // two answers fail
//	pets.Advance(72 * time.Hour)                                   // three days go by
//	pets.Reset()                                              // back to the start
//
// The server is also its default sandbox; srv.Sandbox("default") returns it for a
// function that takes a *Sandbox.
//
// The code under test does not always see a connection that a fault resets:
// net/http's client automatically repeats a GET, and a POST with an Idempotency-Key,
// if the connection was used before. The journal shows both requests; without
// keep-alive, or without Times, the client sees the reset.
//
// # What the admin API does
//
// Each of its operations is a method, of [Sandbox] or of [Server]:
//
//	getAdmin          Name Baseline State Clock Faults JournalSize Undoable Snapshots Sandboxes
//	resetSandbox      Reset ResetTo
//	exportState       Export
//	importState       Import ImportBaseline
//	exportWorld       ExportWorld ExportWorldWithData KeepWorld
//	importWorld       ImportWorld
//	diffState         Diff DiffFrom
//	undoWrites        Undo
//	listSnapshots     Snapshots
//	keepSnapshot      Snapshot
//	dropSnapshot      DropSnapshot
//	restoreSnapshot   Restore
//	getClock          Now Clock
//	setClock          SetTime Advance Freeze Unfreeze
//	releaseClock      ReleaseClock
//	getMetrics        Metrics
//	sendMcpMessage    MCP
//	listOperations    Operations Lifecycle
//	setLifecycle      SetLifecycle
//	changeLifecycle   ChangeLifecycle
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
//	listWebhooks      Webhooks
//	getWebhook        Webhooks
//	setWebhook        SetWebhook
//	deleteWebhook     DeleteWebhook
//	listDeliveries    Deliveries WaitForDeliveries
//	resendDelivery    ResendDelivery
//	listSandboxes     Sandboxes SandboxesNamed
//	createSandbox     Sandbox
//	getSandbox        Name Baseline State Clock Faults JournalSize
//	makeSandbox       Sandbox Renew SetKey SetPrivate
//	dropSandbox       Drop
//	forkSandbox       Fork
//	getTemplate       Template
//	setTemplate       SetTemplate
//	dropTemplate      DropTemplate
//	getWorkshop       Workshop
//	setWorkshop       SetWorkshop SetTitle
//	getDoor           Workshop
//	endWorkshop       EndWorkshop
//	joinWorkshop      Join
//
// [Server.Everywhere] does in every sandbox, and for those made later, what the admin API
// does under /sandboxes/*.
//
// # Files
//
//	server.go    Server: Run and Start, and the sandboxes of one
//	options.go   Option: the options of Run and Start
//	memory.go    connections in memory
//	sandbox.go   Sandbox: reset, fork, drop, and how misuse ends a test
//	workshop.go  the door of a workshop
//	template.go  what new sandboxes are forks of
//	everywhere.go what is done in all sandboxes
//	problems.go  what is wrong with a rule, a filter or a lifecycle, by Go's names
//	words.go     messages of the command line and of HTTP in words of Go
//	state.go     its data: out, in, what changed, undo
//	world.go     all of it: out, in, kept when a test fails
//	snapshots.go states saved under a name
//	clock.go     its time
//	lifecycle.go the lifecycles of operations
//	report.go    who uses deprecated operations
//	faults.go    fault rules
//	requests.go  what it was asked: journal and events
//	webhooks.go  who is told what happens
//	types.go     names for the types of other packages, so that a test imports this one alone
package petstoretest
