// Package registry holds the sandboxes of a server. It creates, finds, evicts and lists them. For
// each sandbox it also holds the key, the time of the last use, and whether the sandbox belongs to
// an attendee of a workshop. The package does not depend on the packages that handle HTTP requests.
//
// # Files
//
//	registry.go finds, lists and drops the sandboxes of a server
//	entry.go    acquires and registers a sandbox, records its use
//	make.go     creates, forks and loads sandboxes if there is room
//	eviction.go drops sandboxes idle for too long; evicts others for room
//	template.go replaces the template of new sandboxes
//	page.go     sorts and pages the list of sandboxes
//	key.go      sets and checks the keys of sandboxes
//	workshop.go admits attendees to a workshop
//	attendee.go derives a sandbox's name from an attendee's
//	shard.go    assigns the names of a replica's sandboxes
//	kept.go     exports and restores all sandboxes of a server
package registry
