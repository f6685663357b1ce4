package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/memory"
)

// Server implements the control plane of a server.
type Server struct {
	Version string
	Replica string // "" if the server has no name
	Started time.Time

	Sandboxes *registry.Registry
	Memory    *memory.Budget

	Requests    *metrics.Requests
	Connections func() Connections // nil if unknown
	Addresses   func() []string    // the server's base URLs for other machines, best first; nil if unknown
	Keyed       bool               // the control plane requires the admin key
}

// Operations returns the control plane's operations for the route table.
func (s *Server) Operations() []rest.Operation {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	none, required, optional := rest.Body{}, rest.Body{Max: rest.MaxBody}, rest.Body{Max: rest.MaxBody, Optional: true}
	smallOptional := rest.Body{Max: 4 << 10, Optional: true} // small enough for a server without free memory
	imported := rest.Body{Max: maxImport, Import: true}
	var table []rest.Operation
	add := func(tag string, operations []rest.Operation) {
		for _, op := range operations {
			op.Kind, op.Tag = rest.Admin, tag
			if op.Change != nil {
				op.Handle = op.Change.Handle
			}
			table = append(table, op)
		}
	}
	add("Admin", []rest.Operation{
		read("getAdmin", "/admin", s.get),
		frees(takesTurn(change("resetSandbox", post, "/admin/reset", smallOptional, s.reset, "only"))),
		row(server, "getMetrics", get, rest.MetricsPath, none, s.getMetrics),
	})
	add("State", []rest.Operation{
		read("exportState", "/admin/state", s.exportState, "at", "before"),
		takesTurn(change("importState", put, "/admin/state", imported, s.importState, "baseline")),
		read("diffState", "/admin/state/diff", s.diffState, "from"),
		{ID: "undoWrites", Method: post, Path: "/admin/undo",
			Reach: everywhere, Body: smallOptional, Frees: true, Change: s.undo},
	})
	add("World", []rest.Operation{
		read("exportWorld", "/admin/world", s.exportWorld, "data"),
		{ID: "importWorld", Method: put, Path: "/admin/world",
			Makes: true, Query: []string{"draw"}, Body: imported, TakesTurn: true, Handle: s.importWorld},
	})
	add("Snapshots", []rest.Operation{
		read("listSnapshots", "/admin/snapshots", s.listSnapshots, "changes"),
		change("keepSnapshot", put, "/admin/snapshots/{snapshotName}", none, ofSnapshot(keepSnapshot)),
		change("dropSnapshot", del, "/admin/snapshots/{snapshotName}", none, ofSnapshot(dropSnapshot)),
		frees(change("restoreSnapshot", post, "/admin/snapshots/{snapshotName}/restore", none,
			ofSnapshot(s.restoreSnapshot))),
	})
	add("Clock", []rest.Operation{
		read("getClock", "/admin/clock", s.getClock),
		change("setClock", put, "/admin/clock", required, s.setClock),
		change("releaseClock", del, "/admin/clock", none, always(func(sb *registry.Entry) { sb.Clock.Reset() })),
	})
	add("Lifecycle", []rest.Operation{
		read("listOperations", "/admin/operations", s.listOperations),
		change("setLifecycle", put, "/admin/operations/{operationId}", required, s.changeLifecycle),
		change("changeLifecycle", patch, "/admin/operations/{operationId}", required, s.changeLifecycle),
		change("resetLifecycle", del, "/admin/operations/{operationId}", none, s.resetLifecycle),
		read("getReport", "/admin/report", s.getReport, "format"),
	})
	add("Faults", []rest.Operation{
		read("listFaults", "/admin/faults", s.listFaults),
		change("createFault", post, "/admin/faults", required, s.createFault),
		change("replaceFaults", put, "/admin/faults", required, s.replaceFaults),
		change("clearFaults", del, "/admin/faults", none, always(func(sb *registry.Entry) { sb.Faults.Clear() })),
		change("deleteFault", del, "/admin/faults/{faultId}", none, s.deleteFault),
	})
	add("Journal", []rest.Operation{
		read("listRequests", "/admin/requests", s.listRequests, requestQuery...),
		{ID: "clearRequests", Method: del, Path: "/admin/requests",
			Reach: everywhere, Change: always(func(sb *registry.Entry) { sb.Journal.Reset() })},
	})
	add("Events", []rest.Operation{
		{ID: "streamAdminEvents", Method: get, Path: "/admin/events",
			Reach: everywhere, Query: rest.StreamQuery, Stream: true, Handle: s.streamEvents},
	})
	const hook, deliveries = "/admin/webhooks/{webhookName}", "/admin/webhooks/{webhookName}/deliveries"
	add("Webhooks", []rest.Operation{
		row(adminOnly, "listWebhooks", get, "/admin/webhooks", none, s.listWebhooks),
		row(adminOnly, "getWebhook", get, hook, none, ofWebhook(getWebhook)),
		row(adminOnly, "setWebhook", put, hook, rest.Body{Max: maxWebhook}, s.setWebhook),
		row(adminOnly, "deleteWebhook", del, hook, none, ofWebhook(deleteWebhook)),
		row(adminOnly, "listDeliveries", get, deliveries, none, ofWebhook(listDeliveries), deliveryQuery...),
		row(adminOnly, "resendDelivery", post, deliveries+"/{deliveryId}/resend", none, ofWebhook(resendDelivery)),
	})
	add("Sandboxes", []rest.Operation{
		row(server, "listSandboxes", get, "/admin/sandboxes", none, s.listSandboxes, sandboxQuery...),
		takesTurn(row(server, "createSandbox", post, "/admin/sandboxes", optional, s.makeSandbox)),
		row(server, "getSandbox", get, "/admin/sandboxes/{sandboxName}", none, s.getSandbox),
		takesTurn(row(server, "makeSandbox", put, "/admin/sandboxes/{sandboxName}", optional, s.makeSandbox)),
		row(server, "dropSandbox", del, "/admin/sandboxes/{sandboxName}", none, s.dropSandbox),
		row(server, "forkSandbox", post, "/admin/sandboxes/{sandboxName}/fork", required, s.forkSandbox),
		row(server, "getTemplate", get, "/admin/template", none, s.getTemplate),
		row(server, "setTemplate", put, "/admin/template", required, s.setTemplate),
		row(server, "dropTemplate", del, "/admin/template", none, s.dropTemplate),
	})
	add("Workshop", []rest.Operation{
		row(server, "getWorkshop", get, "/admin/workshop", none, s.getWorkshop),
		row(server, "setWorkshop", put, "/admin/workshop", required, s.setWorkshop),
		frees(row(server, "endWorkshop", post, "/admin/workshop/end", none, s.endWorkshop)),
		anybody(row(server, "getDoor", get, rest.JoinPath+"/door", none, s.getDoor)),
		anybody(row(server, "joinWorkshop", post, rest.JoinPath, rest.Body{Max: 4 << 10}, s.join())),
	})
	return table
}

var (
	server       = rest.Reach{ServerWide: true}
	adminOnly    = rest.Reach{} // one sandbox; the sandbox's own key does not suffice
	everywhere   = rest.Reach{OwnKey: true, Everywhere: true}
	withTemplate = rest.Reach{OwnKey: true, Everywhere: true, InTemplate: true}
)

// row returns the operation of one row of the table.
func row(reach rest.Reach, id, method, path string, body rest.Body, handle rest.Handler,
	query ...string) rest.Operation {
	return rest.Operation{ID: id, Method: method, Path: path, Query: query, Body: body, Reach: reach, Handle: handle}
}

// read returns a GET that concerns one sandbox.
func read(id, path string, handle rest.Handler, query ...string) rest.Operation {
	return row(rest.Reach{OwnKey: true}, id, http.MethodGet, path, rest.Body{}, handle, query...)
}

// change returns an operation that changes one sandbox, or all sandboxes and the template.
func change(id, method, path string, body rest.Body, change rest.Change, query ...string) rest.Operation {
	op := row(withTemplate, id, method, path, body, nil, query...)
	op.Change = change
	return op
}

// The functions frees, takesTurn and anybody set the field of the same name.

func frees(op rest.Operation) rest.Operation {
	op.Frees = true
	return op
}

func takesTurn(op rest.Operation) rest.Operation {
	op.TakesTurn = true
	return op
}

func anybody(op rest.Operation) rest.Operation {
	op.Anybody = true
	return op
}

// always returns a change that takes no input and has no content to return.
func always(change func(*registry.Entry)) rest.Change {
	return func(*rest.Exchange) (rest.Step, error) {
		return func(sb *registry.Entry) (rest.Handler, error) { change(sb); return noContent, nil }, nil
	}
}

var noContent = (*rest.Exchange).NoContent
