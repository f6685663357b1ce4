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

	OwnsHost func(*http.Request) bool // reports whether the request's Host is known to be the server's
}

// Operations returns the control plane's operations for the route table.
func (s *Server) Operations() []rest.Operation {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	none, required, optional := rest.Body{}, rest.Body{Max: rest.MaxBody}, rest.Body{Max: rest.MaxBody, Optional: true}
	smallOptional := rest.Body{Max: 4 << 10, Optional: true} // small enough for a server without free memory
	imported := rest.Body{Max: maxImport, Import: true}
	everywhere := rest.Reach{OwnKey: true, Everywhere: true}
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
		{ID: "resetSandbox", Method: post, Path: "/admin/reset",
			Reach: withTemplate, Query: []string{"only"}, Body: smallOptional, Frees: true, TakesTurn: true,
			Change: s.reset},
		serverWide("getMetrics", get, rest.MetricsPath, none, s.getMetrics),
	})
	add("State", []rest.Operation{
		read("exportState", "/admin/state", s.exportState, "at"),
		{ID: "importState", Method: put, Path: "/admin/state",
			Reach: withTemplate, Query: []string{"baseline"}, Body: imported, TakesTurn: true, Change: s.importState},
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
		{ID: "restoreSnapshot", Method: post, Path: "/admin/snapshots/{snapshotName}/restore",
			Reach: withTemplate, Frees: true, Change: ofSnapshot(s.restoreSnapshot)},
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
	add("Webhooks", []rest.Operation{
		{ID: "listWebhooks", Method: get, Path: "/admin/webhooks", Handle: s.listWebhooks},
		{ID: "getWebhook", Method: get, Path: "/admin/webhooks/{webhookName}", Handle: s.getWebhook},
		{ID: "setWebhook", Method: put, Path: "/admin/webhooks/{webhookName}",
			Body: rest.Body{Max: maxWebhook}, Handle: s.setWebhook},
		{ID: "deleteWebhook", Method: del, Path: "/admin/webhooks/{webhookName}", Handle: s.deleteWebhook},
		{ID: "listDeliveries", Method: get, Path: "/admin/webhooks/{webhookName}/deliveries",
			Query: deliveryQuery, Handle: s.listDeliveries},
		{ID: "resendDelivery", Method: post,
			Path: "/admin/webhooks/{webhookName}/deliveries/{deliveryId}/resend", Handle: s.resendDelivery},
	})
	add("Sandboxes", []rest.Operation{
		{ID: "listSandboxes", Method: get, Path: "/admin/sandboxes",
			Reach: server, Query: sandboxQuery, Handle: s.listSandboxes},
		{ID: "createSandbox", Method: post, Path: "/admin/sandboxes",
			Reach: server, Body: optional, TakesTurn: true, Handle: s.createSandbox},
		serverWide("getSandbox", get, "/admin/sandboxes/{sandboxName}", none, s.getSandbox),
		{ID: "makeSandbox", Method: put, Path: "/admin/sandboxes/{sandboxName}",
			Reach: server, Body: optional, TakesTurn: true, Handle: s.makeSandbox},
		serverWide("dropSandbox", del, "/admin/sandboxes/{sandboxName}", none, s.dropSandbox),
		serverWide("forkSandbox", post, "/admin/sandboxes/{sandboxName}/fork", required, s.forkSandbox),
		serverWide("getTemplate", get, "/admin/template", none, s.getTemplate),
		serverWide("setTemplate", put, "/admin/template", required, s.setTemplate),
		serverWide("dropTemplate", del, "/admin/template", none, s.dropTemplate),
	})
	add("Workshop", []rest.Operation{
		serverWide("getWorkshop", get, "/admin/workshop", none, s.getWorkshop),
		serverWide("setWorkshop", put, "/admin/workshop", required, s.setWorkshop),
		{ID: "endWorkshop", Method: post, Path: "/admin/workshop/end",
			Reach: server, Frees: true, Handle: s.endWorkshop},
		{ID: "getDoor", Method: get, Path: rest.JoinPath + "/door",
			Reach: server, Anybody: true, Handle: s.getDoor},
		{ID: "joinWorkshop", Method: post, Path: rest.JoinPath,
			Reach: server, Anybody: true, Body: rest.Body{Max: 4 << 10}, Handle: s.join()},
	})
	return table
}

var (
	server       = rest.Reach{ServerWide: true}
	withTemplate = rest.Reach{OwnKey: true, Everywhere: true, InTemplate: true}
)

// read returns a GET that concerns one sandbox.
func read(id, path string, handle rest.Handler, query ...string) rest.Operation {
	return rest.Operation{ID: id, Method: http.MethodGet, Path: path, Query: query, Reach: rest.Reach{OwnKey: true},
		Handle: handle}
}

// change returns an operation that changes one sandbox, or all sandboxes and the template.
func change(id, method, path string, body rest.Body, change rest.Change) rest.Operation {
	return rest.Operation{ID: id, Method: method, Path: path, Body: body, Reach: withTemplate, Change: change}
}

// serverWide returns an operation that concerns the server.
func serverWide(id, method, path string, body rest.Body, handle rest.Handler) rest.Operation {
	return rest.Operation{ID: id, Method: method, Path: path, Body: body, Reach: server, Handle: handle}
}

// always returns a change that takes no input and has no content to return.
func always(change func(*registry.Entry)) rest.Change {
	return func(*rest.Exchange) (rest.Step, error) {
		return func(sb *registry.Entry) (rest.Handler, error) { change(sb); return noContent, nil }, nil
	}
}

var noContent = (*rest.Exchange).NoContent
