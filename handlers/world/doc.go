// Package world writes all that a sandbox holds as one file, and reads it again: to make a
// failure happen on another machine, to move a sandbox to another server, or to begin a
// lesson.
//
//	{
//	  "format": 1,
//	  "generator": "7223991280cc",
//	  "seed": 1,
//	  "draw": 43,
//	  "clock": {"now": "2031-01-01T00:00:00Z", "frozen": true},
//	  "operations": {"getPet": {"deprecated": true, "deprecatedSince": "2026-01-01", …}},
//	  "faults": [{"id": 1, "applied": 1, "times": 2, "status": 503}],
//	  "nextFault": 2,
//	  "generated": {"pets": 100, "categories": 8, "orders": 50},
//	  "state": {"pets": [{"id": 101, "name": "Rex", "categoryId": 1}], "removed": {"pets": [7]}, "next": {…}},
//	  "snapshots": [{"name": "checkout", "createdAt": "2026-03-14T09:30:00Z", "state": {"next": {…}}}],
//	  "journal": [{…}]
//	}
//
// The baseline is "generated", from the seed in these sizes by the generator, or written out
// under "baseline", in the format of fixture files. The state is what differs from the
// baseline. The newest snapshot is what differs from the state, and each older one what
// differs from the one before it: so what sandboxes share in memory is in the file once, and
// shared again when it is read. Of the clock the file has the instant, from which it goes on
// unless it is frozen. The rules under "serverFaults", which are those of --latency and
// --error-rate, come after all others. The journal is for people: reading leaves it out.
//
// # Files
//
//	write.go   Write: a sandbox to a file
//	keep.go    Keep: all sandboxes of a server to a file
//	restore.go Restore: all sandboxes from a file
//	read.go    Read: a file to what a sandbox is to hold
//	states.go  the baseline, the state and the snapshots of a file
//	parts.go   the faults and lifecycles of a file
package world
