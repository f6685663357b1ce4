// Package world exports a whole sandbox to one file, a world, and imports it, for example to
// reproduce a failure on another machine, to move a sandbox to another server, or to prepare a
// workshop.
//
//	{
//	  "format": 1,
//	  "generator": "0123456789ab",
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
// The baseline is either described by "generated", the sizes from which the generator recreates it
// with the seed, or written out in "baseline", in the format of fixture files. The state is stored
// as its difference from the baseline, the newest snapshot as its difference from the state, and
// each older snapshot as its difference from the next newer one. Therefore data that the states
// share in memory is in the file only once, and the states share it again after the file is read.
// The clock has the time of the export. It continues from that time after the import, unless it is
// frozen. The rules in "serverFaults", which come from --latency and --error-rate, apply after all
// others. The journal is for human readers. An import ignores it.
//
// # Files
//
//	write.go   writes a sandbox to a file
//	keep.go    saves all sandboxes of a server to a file
//	restore.go loads all sandboxes from a file
//	read.go    imports the contents of a sandbox
//	states.go  reads the baseline, the state and the snapshots
//	parts.go   reads faults and lifecycles
package world
