package petstoretest

import (
	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// The types in this file are defined in other packages, whose documentation describes their fields.
// The types that tests use most are defined in faults.go, requests.go and lifecycle.go.

// Match selects the requests that a [Rule] applies to. Its fields are OperationID, Method, Path (a
// pattern: * stands for one segment, ** at the end for the rest) and Headers (map[string]string). A
// request must match every field that is not empty.
type Match = fault.Match

// Delay is the delay of a [Rule] in milliseconds. Its fields have the type *int. They are FixedMs
// and JitterMs, or P50Ms and P99Ms, the percentiles of a log-normal distribution.
type Delay = fault.Delay

// Abort is the way in which a [Rule] aborts connections.
type Abort = fault.Abort

// When is the time of a fault: before or after the operation.
type When = fault.When

// The values of [Abort] and [When].
const (
	AbortReset    = fault.AbortReset
	AbortTruncate = fault.AbortTruncate
	AbortHang     = fault.AbortHang

	Before = fault.Before
	After  = fault.After
)

// Entry is a request and its response in the journal: see [Sandbox.Requests].
type Entry = journal.Entry

// Response is the response in an [Entry].
type Response = journal.Response

// Stream is a stream of events: see [Sandbox.Listen].
type Stream = journal.Stream

// Event is an event of a [Stream], such as a change or a request.
type Event = journal.Event

// Gap is a range of event ids of a [Stream]. Some or all of these events are lost.
type Gap = journal.Gap

// FromNow makes a stream start with the next event. The other constants are the names of events
// that do not describe a single record.
const (
	FromNow      = journal.FromNow
	EventReset   = journal.EventReset
	EventRequest = journal.EventRequest
	EventCreated = journal.EventCreated
	EventDropped = journal.EventDropped
)

// Webhook has the settings of a webhook: see [Sandbox.SetWebhook]. Its fields are documented in
// handlers/sandbox/webhook.
//
//	Webhook{URL: receiver.URL, Events: []string{"pet.*", "order.created"}}
type Webhook = webhook.Settings

// WebhookInfo is a webhook with counts of its deliveries: see [Sandbox.Webhooks].
type WebhookInfo = webhook.Info

// Delivery is the delivery of one event to one webhook: see [Sandbox.Deliveries].
type Delivery = webhook.Delivery

// DeliveryTry is one attempt to send a [Delivery], with the receiver's response.
type DeliveryTry = webhook.Try

// DeliveryState is the state of a [Delivery].
type DeliveryState = webhook.State

// DeliveryFilter selects the deliveries that [Sandbox.Deliveries] returns.
type DeliveryFilter = webhook.Filter

// The states of a delivery.
const (
	PendingDelivery = webhook.Pending
	Delivered       = webhook.Delivered
	FailedDelivery  = webhook.Failed
)

const maxDeliveries = webhook.MaxDeliveries

// Stability is the stability of an operation's contract.
type Stability = lifecycle.Stability

// Use counts the calls by one caller to a deprecated operation: see [Sandbox.Report].
type Use = lifecycle.Use

// Caller is the caller of a [Use].
type Caller = lifecycle.Caller

// The stabilities of an operation.
const (
	Experimental = lifecycle.Experimental
	Beta         = lifecycle.Beta
	Stable       = lifecycle.Stable
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

// Baseline is the data that a reset restores: see [Sandbox.Baseline].
type Baseline = sandbox.Baseline

// Snapshot is a state saved under a name: see [Sandbox.Snapshots].
type Snapshot = sandbox.Snapshot

// ClockReading is the state of a clock at one moment: see [Sandbox.Clock].
type ClockReading = sandbox.ClockReading

// Door describes whether and how attendees can join a workshop: see [Server.Workshop].
type Door = registry.Door

// Config is the configuration of a server: see [WithConfig]. Its fields are documented in
// handlers/config.
type Config = handlers.Config

// Latency is the range of a server's delays, in a [Config].
type Latency = handlers.Latency

// Sizes holds the numbers of fake records: see [WithSizes].
type Sizes = fixtures.Sizes

// State is all data at one moment: see [Sandbox.State]. Its methods are documented in store.
type State = store.State

// Diff is the difference between two states: see [Sandbox.Diff].
type Diff = store.Diff

// Category is a kind of pet.
type Category = store.Category

// Pet is an animal in the store.
type Pet = store.Pet

// PetStatus is a pet's availability.
type PetStatus = store.PetStatus

// InventoryItem is the stock of a pet.
type InventoryItem = store.InventoryItem

// Order is the purchase of a pet.
type Order = store.Order

// Message is a note left by the holder of an API key.
type Message = store.Message

// The statuses of a pet.
const (
	Available = store.Available
	Pending   = store.Pending
	Sold      = store.Sold
)

// Paging selects the order of a list of a [State] and the part to return.
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
