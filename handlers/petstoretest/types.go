package petstoretest

import (
	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// What goes wrong: see [Sandbox.Fault].
type (
	Rule  = fault.Rule
	Match = fault.Match
	Delay = fault.Delay
	Abort = fault.Abort
	When  = fault.When
)

// The ways to break off, and the moments of a fault.
const (
	AbortReset    = fault.AbortReset
	AbortTruncate = fault.AbortTruncate
	AbortHang     = fault.AbortHang

	Before = fault.Before
	After  = fault.After
)

// What has happened: see [Sandbox.Requests] and [Sandbox.Listen].
type (
	Filter = journal.Filter
	Entry  = journal.Entry
	Stream = journal.Stream
	Event  = journal.Event
	Gap    = journal.Gap
)

// Where a stream begins, and the names of events that are not about one record.
const (
	FromNow      = journal.FromNow
	EventReset   = journal.EventReset
	EventRequest = journal.EventRequest
)

// What an operation says about its age, and who uses what is deprecated: see
// [Sandbox.SetLifecycle] and [Sandbox.Report].
type (
	Lifecycle = sandbox.Lifecycle
	Stability = sandbox.Stability
	Use       = sandbox.Use
	Caller    = sandbox.Caller
)

// The stabilities that an operation can announce.
const (
	Experimental = sandbox.Experimental
	Beta         = sandbox.Beta
	Stable       = sandbox.Stable
)

// Part is a part of a sandbox: see [Sandbox.Reset].
type Part = sandbox.Part

// The parts of a sandbox.
const (
	PartData      = sandbox.PartData
	PartFaults    = sandbox.PartFaults
	PartClock     = sandbox.PartClock
	PartLifecycle = sandbox.PartLifecycle
	PartJournal   = sandbox.PartJournal
	PartReport    = sandbox.PartReport
	PartKeys      = sandbox.PartKeys
	PartLimit     = sandbox.PartLimit
	PartSnapshots = sandbox.PartSnapshots
)

// What else a sandbox shows: see [Sandbox.Baseline], [Sandbox.Snapshots] and
// [Sandbox.Clock].
type (
	Baseline     = sandbox.Baseline
	Snapshot     = sandbox.Snapshot
	ClockReading = sandbox.ClockReading
)

// What a server starts with: see [WithConfig] and [WithSizes].
type (
	Config  = handlers.Config
	Latency = handlers.Latency
	Sizes   = fixtures.Sizes
)

// The data: see [Sandbox.State] and [Sandbox.Diff].
type (
	State         = store.State
	Diff          = store.Diff
	Category      = store.Category
	Pet           = store.Pet
	PetStatus     = store.PetStatus
	InventoryItem = store.InventoryItem
	Order         = store.Order
	Message       = store.Message
)

// The statuses of a pet.
const (
	Available = store.Available
	Pending   = store.Pending
	Sold      = store.Sold
)

// What is looked for in a [State].
type (
	Paging         = store.Paging
	Sort           = store.Sort
	CategoryQuery  = store.CategoryQuery
	PetQuery       = store.PetQuery
	InventoryQuery = store.InventoryQuery
	OrderQuery     = store.OrderQuery
	MessageQuery   = store.MessageQuery
)
