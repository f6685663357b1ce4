package petstoretest

import (
	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// The names of this file are those of other packages, whose documentation has the fields:
// here handlers/sandbox/fault. See [Sandbox.Fault].
//
//	Rule{
//		Match:  &Match{OperationID: "createOrder", Path: "/store/orders"},
//		Times:  new(2),
//		Delay:  &Delay{FixedMs: new(300)},
//		Status: new(503),
//	}
type (
	Rule  = fault.Rule  // which requests fail, how often and how
	Match = fault.Match // which requests a rule applies to
	Delay = fault.Delay // how long they are delayed
	Abort = fault.Abort // how their connection is broken off
	When  = fault.When  // whether the operation runs first
)

// The ways to break off, and the moments of a fault.
const (
	AbortReset    = fault.AbortReset
	AbortTruncate = fault.AbortTruncate
	AbortHang     = fault.AbortHang

	Before = fault.Before
	After  = fault.After
)

// What has happened: see [Sandbox.Requests] and [Sandbox.Listen]; the fields are
// documented in handlers/sandbox/journal.
//
//	Filter{Method: "POST", Path: "/pets/*", Status: new(503)}
type (
	Filter   = journal.Filter   // which requests to return
	Entry    = journal.Entry    // a request and its response
	Response = journal.Response // what was sent to answer it
	Stream   = journal.Stream   // a stream of events
	Event    = journal.Event    // a change, or a request
	Gap      = journal.Gap      // lost events
)

// Where a stream begins, and the names of events that are not about one record.
const (
	FromNow      = journal.FromNow
	EventReset   = journal.EventReset
	EventRequest = journal.EventRequest
	EventCreated = journal.EventCreated
	EventDropped = journal.EventDropped
)

// Who is told what happens: see [Sandbox.SetWebhook]; the fields are documented in
// handlers/sandbox/webhook.
//
//	Webhook{URL: receiver.URL, Events: []string{"pet.*", "order.created"}}
type (
	Webhook        = webhook.Settings // what is sent where
	WebhookInfo    = webhook.Info     // a webhook, and what became of its events
	Delivery       = webhook.Delivery // one event for one webhook
	DeliveryTry    = webhook.Try      // one request to deliver it, and its answer
	DeliveryState  = webhook.State    // what has become of it
	DeliveryFilter = webhook.Filter   // which deliveries to return
)

// What can have become of a delivery.
const (
	PendingDelivery = webhook.Pending
	Delivered       = webhook.Delivered
	FailedDelivery  = webhook.Failed
)

const maxDeliveries = webhook.MaxDeliveries

// What an operation says about its age, and who uses what is deprecated: see
// [Sandbox.SetLifecycle] and [Sandbox.Report]; the fields are documented in
// handlers/sandbox.
type (
	Lifecycle = sandbox.Lifecycle // deprecation, sunset and stability of an operation
	Stability = sandbox.Stability // how stable its contract is
	Use       = sandbox.Use       // the calls of one caller to a deprecated operation
	Caller    = sandbox.Caller    // who called it
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
	PartWebhooks  = sandbox.PartWebhooks
)

// What else a sandbox shows: see [Sandbox.Baseline], [Sandbox.Snapshots] and
// [Sandbox.Clock].
type (
	Baseline     = sandbox.Baseline     // what a reset returns to
	Snapshot     = sandbox.Snapshot     // a state saved under a name
	ClockReading = sandbox.ClockReading // what a clock shows
	Door         = sandbox.Door         // through which the attendees of a workshop come
)

// What a server starts with: see [WithConfig] and [WithSizes]; the fields are documented
// in handlers and fixtures.
type (
	Config  = handlers.Config  // of a server
	Latency = handlers.Latency // how long responses are delayed
	Sizes   = fixtures.Sizes   // how many fake records of each kind there are
)

// The data: see [Sandbox.State] and [Sandbox.Diff]; fields and methods are documented in
// store.
type (
	State         = store.State // all data at one moment
	Diff          = store.Diff  // how two states differ
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

// Queries of a [State].
type (
	Paging         = store.Paging
	Sort           = store.Sort
	CategoryQuery  = store.CategoryQuery
	PetQuery       = store.PetQuery
	InventoryQuery = store.InventoryQuery
	OrderQuery     = store.OrderQuery
	MessageQuery   = store.MessageQuery
)
