// Package journal keeps what has happened in a sandbox: the requests that it was sent,
// and its events, for those who look later, wait or listen.
//
// # Files
//
//	journal.go Journal: the requests that were answered
//	entry.go   what an entry has, and its bounds
//	client.go  names a client by its own word
//	text.go    an entry as it lies in memory
//	words.go   writes frequent texts as numbers
//	redact.go  keys and passwords, which are not kept
//	tape.go    where entries lie, so that reading does not hold up writing
//	find.go    entries that match, and waiting for them
//	select.go  those entries, copied for an answer
//	check.go   what is wrong with a filter
//	har.go     entries as an HTTP Archive
//	events.go  what happened, for those who listen
//	stream.go  what one of them hears
//	all.go     the events of all sandboxes together
//	queue.go   circular memory
package journal
