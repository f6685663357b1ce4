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
	required, optional := rest.Body{Max: rest.MaxBody}, rest.Body{Max: rest.MaxBody, Optional: true}
	smallOptional := rest.Body{Max: 4 << 10, Optional: true} // small enough for a server without free memory
	server, own := rest.Reach{ServerWide: true}, rest.Reach{OwnKey: true}
	everywhere := rest.Reach{OwnKey: true, Everywhere: true}
	template := rest.Reach{OwnKey: true, Everywhere: true, InTemplate: true}
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
		{ID: "getAdmin", Method: get, Path: "/admin", Reach: own, Handle: s.get},
		{ID: "resetSandbox", Method: post, Path: "/admin/reset",
			Reach: template, Query: []string{"only"}, Body: smallOptional, Frees: true, TakesTurn: true,
			Change: s.reset},
		{ID: "getMetrics", Method: get, Path: rest.MetricsPath, Reach: server, Handle: s.getMetrics},
	})
	add("State", []rest.Operation{
		{ID: "exportState", Method: get, Path: "/admin/state", Reach: own, Query: stateQuery, Handle: s.exportState},
		{ID: "importState", Method: put, Path: "/admin/state",
			Reach: template, Query: []string{"baseline"}, Body: rest.Body{Max: maxImport, Import: true},
			TakesTurn: true, Change: s.importState},
		{ID: "diffState", Method: get, Path: "/admin/state/diff",
			Reach: own, Query: []string{"from"}, Handle: s.diffState},
		{ID: "undoWrites", Method: post, Path: "/admin/undo",
			Reach: everywhere, Body: smallOptional, Frees: true, Change: s.undo},
	})
	add("World", []rest.Operation{
		{ID: "exportWorld", Method: get, Path: "/admin/world",
			Reach: own, Query: []string{"data"}, Handle: s.exportWorld},
		{ID: "importWorld", Method: put, Path: "/admin/world",
			Makes: true, Query: []string{"draw"}, Body: rest.Body{Max: maxImport, Import: true}, TakesTurn: true,
			Handle: s.importWorld},
	})
	add("Snapshots", []rest.Operation{
		{ID: "listSnapshots", Method: get, Path: "/admin/snapshots",
			Reach: own, Query: []string{"changes"}, Handle: s.listSnapshots},
		{ID: "keepSnapshot", Method: put, Path: "/admin/snapshots/{snapshotName}",
			Reach: template, Change: ofSnapshot(keepSnapshot)},
		{ID: "dropSnapshot", Method: del, Path: "/admin/snapshots/{snapshotName}",
			Reach: template, Change: ofSnapshot(dropSnapshot)},
		{ID: "restoreSnapshot", Method: post, Path: "/admin/snapshots/{snapshotName}/restore",
			Reach: template, Frees: true, Change: ofSnapshot(s.restoreSnapshot)},
	})
	add("Clock", []rest.Operation{
		{ID: "getClock", Method: get, Path: "/admin/clock", Reach: own, Handle: s.getClock},
		{ID: "setClock", Method: put, Path: "/admin/clock", Reach: template, Body: required, Change: s.setClock},
		{ID: "releaseClock", Method: del, Path: "/admin/clock",
			Reach: template, Change: always(func(sb *registry.Entry) { sb.Clock.Reset() })},
	})
	add("Lifecycle", []rest.Operation{
		{ID: "listOperations", Method: get, Path: "/admin/operations", Reach: own, Handle: s.listOperations},
		{ID: "setLifecycle", Method: put, Path: "/admin/operations/{operationId}",
			Reach: template, Body: required, Change: s.changeLifecycle},
		{ID: "changeLifecycle", Method: patch, Path: "/admin/operations/{operationId}",
			Reach: template, Body: required, Change: s.changeLifecycle},
		{ID: "resetLifecycle", Method: del, Path: "/admin/operations/{operationId}",
			Reach: template, Change: s.resetLifecycle},
		{ID: "getReport", Method: get, Path: "/admin/report",
			Reach: own, Query: []string{"format"}, Handle: s.getReport},
	})
	add("Faults", []rest.Operation{
		{ID: "listFaults", Method: get, Path: "/admin/faults", Reach: own, Handle: s.listFaults},
		{ID: "createFault", Method: post, Path: "/admin/faults",
			Reach: template, Body: required, Change: s.createFault},
		{ID: "replaceFaults", Method: put, Path: "/admin/faults",
			Reach: template, Body: required, Change: s.replaceFaults},
		{ID: "clearFaults", Method: del, Path: "/admin/faults",
			Reach: template, Change: always(func(sb *registry.Entry) { sb.Faults.Clear() })},
		{ID: "deleteFault", Method: del, Path: "/admin/faults/{faultId}", Reach: template, Change: s.deleteFault},
	})
	add("Journal", []rest.Operation{
		{ID: "listRequests", Method: get, Path: "/admin/requests",
			Reach: own, Query: requestQuery, Handle: s.listRequests},
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
		{ID: "resendDelivery", Method: post, Path: "/admin/webhooks/{webhookName}/deliveries/{deliveryId}/resend",
			Handle: s.resendDelivery},
	})
	add("Sandboxes", []rest.Operation{
		{ID: "listSandboxes", Method: get, Path: "/admin/sandboxes",
			Reach: server, Query: sandboxQuery, Handle: s.listSandboxes},
		{ID: "createSandbox", Method: post, Path: "/admin/sandboxes",
			Reach: server, Body: optional, TakesTurn: true, Handle: s.createSandbox},
		{ID: "getSandbox", Method: get, Path: "/admin/sandboxes/{sandboxName}", Reach: server, Handle: s.getSandbox},
		{ID: "makeSandbox", Method: put, Path: "/admin/sandboxes/{sandboxName}",
			Reach: server, Body: optional, TakesTurn: true, Handle: s.makeSandbox},
		{ID: "dropSandbox", Method: del, Path: "/admin/sandboxes/{sandboxName}", Reach: server, Handle: s.dropSandbox},
		{ID: "forkSandbox", Method: post, Path: "/admin/sandboxes/{sandboxName}/fork",
			Reach: server, Body: required, Handle: s.forkSandbox},
		{ID: "getTemplate", Method: get, Path: "/admin/template", Reach: server, Handle: s.getTemplate},
		{ID: "setTemplate", Method: put, Path: "/admin/template", Reach: server, Body: required, Handle: s.setTemplate},
		{ID: "dropTemplate", Method: del, Path: "/admin/template", Reach: server, Handle: s.dropTemplate},
	})
	add("Workshop", []rest.Operation{
		{ID: "getWorkshop", Method: get, Path: "/admin/workshop", Reach: server, Handle: s.getWorkshop},
		{ID: "setWorkshop", Method: put, Path: "/admin/workshop", Reach: server, Body: required, Handle: s.setWorkshop},
		{ID: "endWorkshop", Method: post, Path: "/admin/workshop/end",
			Reach: server, Frees: true, Handle: s.endWorkshop},
		{ID: "getDoor", Method: get, Path: rest.JoinPath + "/door", Reach: server, Anybody: true, Handle: s.getDoor},
		{ID: "joinWorkshop", Method: post, Path: rest.JoinPath,
			Reach: server, Anybody: true, Body: rest.Body{Max: 4 << 10}, Handle: s.join()},
	})
	return table
}

// always returns a change that takes no input and has no content to return.
func always(change func(*registry.Entry)) rest.Change {
	return func(*rest.Exchange) (rest.Step, error) {
		return func(sb *registry.Entry) (rest.Handler, error) { change(sb); return noContent, nil }, nil
	}
}

var noContent = (*rest.Exchange).NoContent
