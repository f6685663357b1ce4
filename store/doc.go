// Package store holds the pet store's data: categories, pets with their inventory, orders and
// messages.
//
// A [State] is one immutable version of the data. A [Store] publishes the current one. [Store.View]
// returns it without blocking. [Store.Update] lets one writer at a time change a working copy, and
// publishes all of its changes or none. Because states are immutable, keeping one as a baseline, as
// a snapshot or as the first state of another sandbox costs only a pointer, whatever its size. The
// package has no global state, so stores are isolated from one another.
//
// # Files
//
//	store.go      publishes the current state: View, Update, Replace, Undo, Reset, Fork
//	history.go    keeps the last writes for undo
//	rebuild.go    replaces the baseline, the current state and kept states together
//	usage.go      counts the memory used by a store and enforces limits
//	state.go      defines State: tables, counters, counts, differences
//	tx.go         changes a working copy and records the changes
//	noun.go       defines Noun: finds, creates, updates and deletes records
//	table.go      stores records in copy-on-write B-trees and counts their bytes
//	index.go      indexes pets by status and category; pages through several sets
//	select.go     chooses the indexes for a query of pets
//	list.go       pages, filters and sorts any table
//	diff.go       finds the differences between two states and encodes them
//	errors.go     defines Error and its codes
//	category.go, pet.go, inventory.go, order.go, message.go
//	              define one noun each: record, fields, rules, Find and List
package store
