// Package world writes a whole sandbox as one file and reads it again: to reproduce a
// failure on another machine, to move a sandbox to another server, or to prepare a lesson.
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
// The baseline is either "generated", from the seed and these sizes by the generator, or
// written out under "baseline", in the format of fixture files. The state is a difference
// from the baseline. The newest snapshot is a difference from the state, and each older one
// a difference from the one before it. Data that sandboxes share in memory is therefore in
// the file once, and is shared again after reading. The clock is the instant of the export;
// it continues from there unless it is frozen. The rules under "serverFaults", from
// --latency and --error-rate, come after all others. The journal is for people; reading
// ignores it.
//
// # Files
//
//	write.go   writes a sandbox to a file
//	keep.go    writes all sandboxes of a server to a file
//	restore.go loads all sandboxes from a file
//	read.go    reads the new contents of a sandbox
//	states.go  reads the baseline, the state and the snapshots
//	parts.go   reads faults and lifecycles
package world
