// Package store holds the pet store's data: categories, pets with their
// inventory, orders and messages.
//
// A [State] is one immutable version of the data. A [Store] publishes the
// current one: [Store.View] hands it to readers, who never wait, and
// [Store.Update] runs one writer at a time on a working copy and publishes the
// result whole or not at all. Because states are immutable, keeping one (a
// baseline, a snapshot, the first state of another sandbox) costs a pointer,
// whatever it holds. Nothing in this package is global: a second isolated store
// is a second value.
//
// # Files
//
//	store.go      Store: View, Update, Replace, Undo, Reset, Fork
//	history.go    what the last writes changed, for undo
//	rebuild.go    Rebuild: all that a store is to hold, made apart from it
//	usage.go      what a store keeps in memory, and its limits
//	state.go      State: what it has of each kind: a table, a counter, a count, a difference; Build
//	tx.go         Tx: the working copy that an update changes, and its changes
//	record.go     what all records can do: their size, into the tables and out of them
//	tree.go       the copy-on-write B-tree that every table and index is
//	index.go      ids of pets by status, by category and by both
//	union.go      a page of several id sets without walking to it
//	select.go     which index answers a query over pets
//	json.go       how records are written as JSON
//	list.go       pages, filters and sorting of any table
//	diff.go       what differs between two tables
//	diff_write.go those differences as JSON
//	errors.go     Error and its codes
//	category.go, pet.go, inventory.go, order.go, message.go
//	              one noun each: its record, Find, List, Create, Update, Delete
package store
