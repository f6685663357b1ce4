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

// The names of this file are those of other packages, whose documentation has the fields.

// Rule is a fault rule: which requests fail, how often and how. See [Sandbox.Fault]; its fields
// are documented in handlers/sandbox/fault.
//
//	Rule{
//		Match:  &Match{OperationID: "createOrder", Path: "/store/orders"},
//		Times:  new(2),
//		Delay:  &Delay{FixedMs: new(300)},
//		Status: new(503),
//	}
type Rule = fault.Rule

// Match is which requests a [Rule] applies to.
type Match = fault.Match

// Delay is how long a [Rule] delays the responses.
type Delay = fault.Delay

// Abort is how a [Rule] breaks off connections.
type Abort = fault.Abort

// When is whether the operation of a request that a [Rule] fails runs first.
type When = fault.When

// The ways to break off, and the moments of a fault.
const (
	AbortReset    = fault.AbortReset
	AbortTruncate = fault.AbortTruncate
	AbortHang     = fault.AbortHang

	Before = fault.Before
	After  = fault.After
)

// Filter is which requests [Sandbox.Requests] returns; its fields are documented in
// handlers/sandbox/journal.
//
//	Filter{Method: "POST", Path: "/pets/*", Status: new(503)}
type Filter = journal.Filter

// Entry is a request and its response in the journal: see [Sandbox.Requests].
type Entry = journal.Entry

// Response is what was sent to answer the request of an [Entry].
type Response = journal.Response

// Stream is a stream of events: see [Sandbox.Listen].
type Stream = journal.Stream

// Event is what a [Stream] tells: a change, or a request.
type Event = journal.Event

// Gap is which events a [Stream] has lost.
type Gap = journal.Gap

// Where a stream begins, and the names of events that are not about one record.
const (
	FromNow      = journal.FromNow
	EventReset   = journal.EventReset
	EventRequest = journal.EventRequest
	EventCreated = journal.EventCreated
	EventDropped = journal.EventDropped
)

// Webhook is which events are sent where: see [Sandbox.SetWebhook]; its fields are documented in
// handlers/sandbox/webhook.
//
//	Webhook{URL: receiver.URL, Events: []string{"pet.*", "order.created"}}
type Webhook = webhook.Settings

// WebhookInfo is a webhook, and what became of its events: see [Sandbox.Webhooks].
type WebhookInfo = webhook.Info

// Delivery is one event for one webhook: see [Sandbox.Deliveries].
type Delivery = webhook.Delivery

// DeliveryTry is one request that was to deliver a [Delivery], and its answer.
type DeliveryTry = webhook.Try

// DeliveryState is what has become of a [Delivery].
type DeliveryState = webhook.State

// DeliveryFilter is which deliveries [Sandbox.Deliveries] returns.
type DeliveryFilter = webhook.Filter

// What can have become of a delivery.
const (
	PendingDelivery = webhook.Pending
	Delivered       = webhook.Delivered
	FailedDelivery  = webhook.Failed
)

const maxDeliveries = webhook.MaxDeliveries

// Lifecycle is what an operation says about its age: deprecation, sunset and stability. See
// [Sandbox.SetLifecycle]; its fields are documented in handlers/sandbox.
type Lifecycle = sandbox.Lifecycle

// Stability is how stable the contract of an operation is.
type Stability = sandbox.Stability

// Use is the calls of one caller to a deprecated operation: see [Sandbox.Report].
type Use = sandbox.Use

// Caller is who made the calls of a [Use].
type Caller = sandbox.Caller

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

// Baseline is what a reset returns to: see [Sandbox.Baseline].
type Baseline = sandbox.Baseline

// Snapshot is a state saved under a name: see [Sandbox.Snapshots].
type Snapshot = sandbox.Snapshot

// ClockReading is what a clock shows: see [Sandbox.Clock].
type ClockReading = sandbox.ClockReading

// Door is the door of a workshop, through which its attendees come: see [Server.Workshop].
type Door = sandbox.Door

// Config is the configuration of a server: see [WithConfig]; its fields are documented in
// handlers.
type Config = handlers.Config

// Latency is how long a server delays its responses, in a [Config].
type Latency = handlers.Latency

// Sizes is how many fake records of each kind there are: see [WithSizes].
type Sizes = fixtures.Sizes

// State is all data at one moment: see [Sandbox.State]; its methods are documented in store.
type State = store.State

// Diff is how two states differ: see [Sandbox.Diff].
type Diff = store.Diff

// Category is a category of pets.
type Category = store.Category

// Pet is a pet.
type Pet = store.Pet

// PetStatus is whether a pet can be bought.
type PetStatus = store.PetStatus

// InventoryItem is how many of a pet there are.
type InventoryItem = store.InventoryItem

// Order is an order of a pet.
type Order = store.Order

// Message is a message.
type Message = store.Message

// The statuses of a pet.
const (
	Available = store.Available
	Pending   = store.Pending
	Sold      = store.Sold
)

// Paging is which part of a list a query of a [State] returns, and in which order.
type Paging = store.Paging

// Sort is the order of a list.
type Sort = store.Sort

// CategoryQuery is a query of the categories of a [State].
type CategoryQuery = store.CategoryQuery

// PetQuery is a query of the pets of a [State].
type PetQuery = store.PetQuery

// InventoryQuery is a query of the inventory of a [State].
type InventoryQuery = store.InventoryQuery

// OrderQuery is a query of the orders of a [State].
type OrderQuery = store.OrderQuery

// MessageQuery is a query of the messages of a [State].
type MessageQuery = store.MessageQuery
