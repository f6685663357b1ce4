package mcp

import "example.com/petstore/fixtures"

// effect is the kind of change that a tool makes to a sandbox.
type effect int

const (
	reads    effect = iota // changes nothing
	adds                   // adds something, or makes a change that can be reversed
	discards               // deletes or replaces something
)

// tool is a row in the table of tools.
type tool struct {
	name, title, description string

	operation  string // the operationId in the control plane's OpenAPI document; "" if made.prepare adds the operations
	takes      []string
	optional   map[string]string // values, in JSON, for arguments that the call omits
	list       string            // the name of the array in the result, if the operation returns an array
	does       effect
	idempotent bool // a second call with the same arguments changes nothing more
	waits      bool // the client chooses how long the call may wait

	made special // the zero value for an ordinary tool
}

// tools lists all tools. The number is small, so that a model can choose the right one.
var tools = []tool{
	{
		name: "get_status", title: "Read the status", operation: "getAdmin", does: reads, made: status,
		description: "Tells the addresses of the service, its documentation and its dashboard, " +
			"and the state of the sandbox: the number of records, the clock, the number of fault " +
			"rules and of recorded requests. Start here.",
	},
	{
		name: "list_records", title: "List records", does: reads, list: "records", made: records,
		description: "Lists the records of a collection in the order of their ids, a page at a time, " +
			"or reads one by its id. It needs no key of the service, and no fault affects it. " +
			"`total` is the number of records that match.",
	},
	{
		name: "list_requests", title: "List recorded requests", operation: "listRequests", does: reads,
		takes:    []string{"operationId", "method", "path", "status", "since", "order", "limit"},
		optional: map[string]string{"order": `"desc"`, "limit": "10"}, made: requests,
		description: "Lists the requests that clients have made to the service, the newest first, each with its " +
			"response, headers and bodies. Use it to find out why a request failed: the body of the response " +
			"says what was wrong. Longer bodies of requests that succeeded are truncated at 1 KiB; get_request " +
			"returns them. `fault` names the fault rule that was applied, if any. To see only what comes next, " +
			"pass the id of the newest request as `since`.",
	},
	{
		name: "get_request", title: "Read a recorded request", operation: "listRequests", does: reads, made: oneRequest,
		description: "Reads one recorded request by its id, with its response and the first 4 KiB of both bodies.",
	},
	{
		name: "wait_for_requests", title: "Wait for requests", operation: "listRequests", does: reads, waits: true,
		made:     requests,
		takes:    []string{"operationId", "method", "path", "status", "since", "count", "wait", "limit"},
		optional: map[string]string{"order": `"desc"`, "limit": "10", "wait": `"10s"`},
		description: "Waits until `count` recorded requests match, one unless given, and lists them as " +
			"list_requests does. Earlier requests count too, unless their ids are up to `since`. `timedOut` is " +
			"true if too few have come within `wait`.",
	},
	{
		name: "list_operations", title: "List operations", operation: "listOperations", does: reads, list: "operations",
		description: "Lists the operations of the service with their methods and paths, how often each was called " +
			"since the last reset, whether it is deprecated, and the date of its sunset.",
	},
	{
		name: "get_report", title: "Read the deprecation report", operation: "getReport", does: reads,
		description: "Tells who called deprecated operations, how often and when, and what to call instead.",
	},
	{
		name: "reset", title: "Reset the sandbox", operation: "resetSandbox",
		takes: append([]string{"only", "seed"}, fixtures.SizeNames()...), does: discards, idempotent: true,
		description: "Returns the sandbox to its start: data, ids, clock, faults, lifecycles, recorded requests " +
			"and report. Saved snapshots stay. `only` resets parts, such as the clock. `seed`, `pets`, " +
			"`categories` and `orders` generate other data.",
	},
	{
		name: "save_snapshot", title: "Save a snapshot", operation: "keepSnapshot", takes: []string{"snapshotName"},
		does: discards, idempotent: true,
		description: "Saves the data as it is now under a name, for restore_snapshot. " +
			"A snapshot of that name is replaced.",
	},
	{
		name: "restore_snapshot", title: "Restore a snapshot", operation: "restoreSnapshot",
		takes: []string{"snapshotName"}, does: discards, idempotent: true,
		description: "Returns the data to a snapshot, ids included. Clock, faults and " +
			"recorded requests stay as they are.",
	},
	{
		name: "diff", title: "Compare the data", operation: "diffState", takes: []string{"from"}, does: reads,
		description: "Tells which records were added, changed and removed since the start or, with `from`, since a " +
			"snapshot. Use it to see what a request did.",
	},
	{
		name: "undo", title: "Undo writes", operation: "undoWrites", takes: []string{"steps"}, does: discards,
		description: "Undoes the last write to the data, or the last `steps` writes, ids included. The last 100 can " +
			"be undone, fewer if they were large. What is undone cannot be redone.",
	},
	{
		name: "export_world", title: "Export the sandbox", operation: "exportWorld", takes: []string{"data"},
		does: reads, made: exported,
		description: "Returns the whole sandbox except its recorded requests, for import_world: data, baseline, " +
			"snapshots, clock, lifecycles, faults and the chance of the next requests. A world of more than 64 KiB " +
			"is an error that says how to save it in a file.",
	},
	{
		name: "import_world", title: "Import a sandbox", operation: "importWorld", takes: []string{"draw"},
		does: discards, idempotent: true, made: imported,
		description: "Replaces the whole sandbox by a world. Nothing changes if anything is wrong with it, and it " +
			"cannot be undone. The world and the rest of the message may have 64 KiB; send a larger world with PUT " +
			"to the address that the error of export_world names.",
	},
	{
		name: "create_sandbox", title: "Create a sandbox", operation: "makeSandbox", does: adds, idempotent: true,
		made: create,
		description: "Creates a sandbox as new ones begin. One that exists stays as it is. The other tools create " +
			"none: pass them, as `sandbox`, the name of one that exists.",
	},
	{
		name: "fork_sandbox", title: "Copy the sandbox", operation: "forkSandbox", takes: []string{"at"}, does: adds,
		made: fork,
		description: "Copies the sandbox with its data, clock, faults and lifecycles to a new one, which is apart " +
			"from it. Pass the new name as `sandbox` to the other tools, and send it as the header X-Sandbox in " +
			"requests to the service. Try out there what must not change the original. With `at`, the id of a " +
			"recorded request, the copy has the data right after that request.",
	},
	{
		name: "set_clock", title: "Set the clock", operation: "setClock", takes: []string{"now", "frozen", "advance"},
		does: adds,
		description: "Sets the clock of the sandbox (`now`), moves it (`advance`), or stops it or lets it run " +
			"(`frozen`). Give at least one of them, and not both `now` and `advance`. To return to the real " +
			"time, call reset with only: [\"clock\"].",
	},
	{
		name: "set_lifecycle", title: "Change a lifecycle", operation: "changeLifecycle", does: adds, idempotent: true,
		takes: []string{"operationId", "deprecated", "deprecatedSince", "sunset", "successor", "stability",
			"enforceSunset", "brownout"},
		description: "Deprecates an operation, plans its sunset, or enforces it. After the sunset, by the " +
			"clock of the sandbox, an operation answers 410 only if `enforceSunset` is true. What is left out " +
			"or null stays as it is. list_operations shows the result. To return to the lifecycles of the " +
			"document, call reset with only: [\"lifecycle\"].",
	},
	{
		name: "list_faults", title: "List fault rules", operation: "listFaults", does: reads, list: "faults",
		description: "Lists the fault rules in the order in which they are tried, each with how often it was " +
			"applied. The first that matches a request is applied.",
	},
	{
		name: "add_fault", title: "Add a fault rule", operation: "createFault", does: adds,
		takes: []string{"match", "probability", "times", "delay", "status", "code", "message", "headers", "abort",
			"when"},
		description: "Makes matching requests slow (`delay`), wrong (`status`) or broken (`abort`). Examples: " +
			"{\"match\": {\"operationId\": \"listPets\"}, \"delay\": {\"fixedMs\": 2000}} makes the list of pets " +
			"slow; {\"match\": {\"operationId\": \"createPet\"}, \"status\": 503, \"times\": 2} fails twice.",
	},
	{
		name: "clear_faults", title: "Clear the fault rules", operation: "clearFaults", does: discards,
		idempotent: true,
		description: "Deletes all fault rules, those of the server's flags too. To return to those " +
			"alone, call reset with only: [\"faults\"].",
	},
}
