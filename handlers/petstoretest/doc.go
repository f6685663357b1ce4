// Package petstoretest runs the pet store inside a Go test, without a process or a port to manage.
// A test can start its own server, in a millisecond or less:
//
//	func TestShop(t *testing.T) {
//		srv := petstoretest.Run(t)
//		shop := NewShop(srv.URL) // the code under test
//		…
//	}
//
// Or it can use its own sandbox on a shared server. Creating a sandbox takes microseconds, however
// much data there is:
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
// In both cases, the test controls the store directly, without HTTP:
//
//	pets.Fault(petstoretest.Rule{Status: new(503), Times: new(2)}) // the next two requests fail
//	pets.Advance(72 * time.Hour)                                   // three days pass
//	pets.Reset()                                                   // back to the initial state
//
// A Server is also its default sandbox. If a function takes a *Sandbox, pass
// srv.Sandbox("default").
//
// The code under test does not always see a connection that a fault resets: net/http's client
// automatically repeats a GET, and a POST with an Idempotency-Key, if the connection was used
// before. The journal shows both requests. To let the client see the reset, disable keep-alive or
// omit Times.
//
// # The admin API
//
// Each operation of the admin API corresponds to methods of [Sandbox] or [Server]:
//
//	getAdmin          Name Baseline State Clock Faults JournalSize Undoable Snapshots Sandboxes
//	resetSandbox      Reset ResetTo
//	exportState       Export StateAt
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
//	listRequests      Requests WaitForRequests HAR
//	clearRequests     ClearRequests
//	streamAdminEvents Listen ListenToAll
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
//	forkSandbox       Fork ForkAt
//	getTemplate       Template
//	setTemplate       SetTemplate
//	dropTemplate      DropTemplate
//	getWorkshop       Workshop
//	setWorkshop       SetWorkshop SetTitle
//	getDoor           Workshop
//	endWorkshop       EndWorkshop
//	joinWorkshop      Join
//
// [Server.Everywhere] corresponds to requests under /sandboxes/*: it changes every sandbox and the
// template for new ones.
//
// The dashboard and the other pages, the OpenAPI documents and the tools for agents are in package
// handlers/extras, so that tests that do not need them do not link them. WithConfig(extras.Add)
// adds them.
//
// # Files
//
//	server.go     runs a server for a test
//	options.go    defines the options of Run and Start
//	memory.go     provides connections in memory
//	sandbox.go    resets, forks and drops a sandbox
//	workshop.go   controls a workshop
//	everywhere.go changes all sandboxes; sets the template of new ones
//	problems.go   reports problems with the names of Go fields
//	state.go      exports, imports, compares and undoes data
//	world.go      exports, imports and keeps a whole sandbox
//	snapshots.go  saves and restores data by name
//	clock.go      sets the sandbox's clock
//	lifecycle.go  changes lifecycles; reports the use of deprecated operations
//	faults.go     changes fault rules
//	requests.go   reads the journal and the events
//	webhooks.go   changes webhooks and lists deliveries
//	types.go      names types of other packages
package petstoretest
