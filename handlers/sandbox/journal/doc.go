// Package journal records the requests and events of a sandbox for clients that query them, wait
// for an entry or subscribe.
//
// # Files
//
//	journal.go records the requests of a sandbox
//	entry.go   defines an entry and its limits; names a client
//	text.go    encodes entries in memory
//	words.go   encodes frequent strings as numbers
//	redact.go  removes keys and passwords
//	tape.go    stores entries so that readers do not block writers
//	find.go    waits for matching entries; validates a filter
//	select.go  finds and copies matching entries
//	har.go     writes entries as an HTTP Archive
//	events.go  publishes a sandbox's events
//	stream.go  subscribes to a sandbox's events
//	all.go     subscribes to the events of all sandboxes
package journal
