package admin

import (
	"net/http"
	"time"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/memory"
)

// Server is the control plane of a server.
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
	smallOptional := rest.Body{Max: 4 << 10, Optional: true} // for requests that a server without free memory still accepts
	return []rest.Operation{
		{ID: "getAdmin", Method: get, Path: "/admin", Tag: "Admin", Kind: rest.Admin, OwnKey: true, Handle: s.get},
		{ID: "resetSandbox", Method: post, Path: "/admin/reset", Tag: "Admin", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Query: []string{"only"}, Body: smallOptional, Frees: true, TakesTurn: true, Handle: s.reset},

		{ID: "getMetrics", Method: get, Path: rest.MetricsPath, Tag: "Admin", Kind: rest.Admin, ServerWide: true, Handle: s.getMetrics},

		{ID: "exportState", Method: get, Path: "/admin/state", Tag: "State", Kind: rest.Admin, OwnKey: true, Query: stateQuery, Handle: s.exportState},
		{ID: "importState", Method: put, Path: "/admin/state", Tag: "State", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Query: []string{"baseline"}, Body: rest.Body{Max: maxImport, Import: true}, TakesTurn: true, Handle: s.importState},
		{ID: "diffState", Method: get, Path: "/admin/state/diff", Tag: "State", Kind: rest.Admin, OwnKey: true, Query: []string{"from"}, Handle: s.diffState},
		{ID: "undoWrites", Method: post, Path: "/admin/undo", Tag: "State", Kind: rest.Admin, OwnKey: true, Everywhere: true, Body: smallOptional, Frees: true, Handle: s.undo},

		{ID: "exportWorld", Method: get, Path: "/admin/world", Tag: "World", Kind: rest.Admin, OwnKey: true, Query: []string{"data"}, Handle: s.exportWorld},
		{ID: "importWorld", Method: put, Path: "/admin/world", Tag: "World", Kind: rest.Admin, Makes: true, Query: []string{"draw"}, Body: rest.Body{Max: maxImport, Import: true}, TakesTurn: true, Handle: s.importWorld},

		{ID: "listSnapshots", Method: get, Path: "/admin/snapshots", Tag: "Snapshots", Kind: rest.Admin, OwnKey: true, Query: []string{"changes"}, Handle: s.listSnapshots},
		{ID: "keepSnapshot", Method: put, Path: "/admin/snapshots/{snapshotName}", Tag: "Snapshots", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Handle: s.keepSnapshot},
		{ID: "dropSnapshot", Method: del, Path: "/admin/snapshots/{snapshotName}", Tag: "Snapshots", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Handle: s.dropSnapshot},
		{ID: "restoreSnapshot", Method: post, Path: "/admin/snapshots/{snapshotName}/restore", Tag: "Snapshots", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Frees: true, Handle: s.restoreSnapshot},

		{ID: "getClock", Method: get, Path: "/admin/clock", Tag: "Clock", Kind: rest.Admin, OwnKey: true, Handle: s.getClock},
		{ID: "setClock", Method: put, Path: "/admin/clock", Tag: "Clock", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Body: required, Handle: s.setClock},
		{ID: "releaseClock", Method: del, Path: "/admin/clock", Tag: "Clock", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Handle: s.releaseClock},

		{ID: "listOperations", Method: get, Path: "/admin/operations", Tag: "Lifecycle", Kind: rest.Admin, OwnKey: true, Handle: s.listOperations},
		{ID: "setLifecycle", Method: put, Path: "/admin/operations/{operationId}", Tag: "Lifecycle", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Body: required, Handle: s.changeLifecycle},
		{ID: "changeLifecycle", Method: patch, Path: "/admin/operations/{operationId}", Tag: "Lifecycle", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Body: required, Handle: s.changeLifecycle},
		{ID: "resetLifecycle", Method: del, Path: "/admin/operations/{operationId}", Tag: "Lifecycle", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Handle: s.resetLifecycle},
		{ID: "getReport", Method: get, Path: "/admin/report", Tag: "Lifecycle", Kind: rest.Admin, OwnKey: true, Query: []string{"format"}, Handle: s.getReport},

		{ID: "listFaults", Method: get, Path: "/admin/faults", Tag: "Faults", Kind: rest.Admin, OwnKey: true, Handle: s.listFaults},
		{ID: "createFault", Method: post, Path: "/admin/faults", Tag: "Faults", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Body: required, Handle: s.createFault},
		{ID: "replaceFaults", Method: put, Path: "/admin/faults", Tag: "Faults", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Body: required, Handle: s.replaceFaults},
		{ID: "clearFaults", Method: del, Path: "/admin/faults", Tag: "Faults", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Handle: s.clearFaults},
		{ID: "deleteFault", Method: del, Path: "/admin/faults/{faultId}", Tag: "Faults", Kind: rest.Admin, OwnKey: true, Everywhere: true, InTemplate: true, Handle: s.deleteFault},

		{ID: "listRequests", Method: get, Path: "/admin/requests", Tag: "Journal", Kind: rest.Admin, OwnKey: true, Query: requestQuery, Handle: s.listRequests},
		{ID: "clearRequests", Method: del, Path: "/admin/requests", Tag: "Journal", Kind: rest.Admin, OwnKey: true, Everywhere: true, Handle: s.clearRequests},
		{ID: "streamAdminEvents", Method: get, Path: "/admin/events", Tag: "Events", Kind: rest.Admin, OwnKey: true, Query: rest.StreamQuery, Stream: true, Everywhere: true, Handle: s.streamEvents},

		{ID: "listWebhooks", Method: get, Path: "/admin/webhooks", Tag: "Webhooks", Kind: rest.Admin, Handle: s.listWebhooks},
		{ID: "getWebhook", Method: get, Path: "/admin/webhooks/{webhookName}", Tag: "Webhooks", Kind: rest.Admin, Handle: s.getWebhook},
		{ID: "setWebhook", Method: put, Path: "/admin/webhooks/{webhookName}", Tag: "Webhooks", Kind: rest.Admin, Body: rest.Body{Max: maxWebhook}, Handle: s.setWebhook},
		{ID: "deleteWebhook", Method: del, Path: "/admin/webhooks/{webhookName}", Tag: "Webhooks", Kind: rest.Admin, Handle: s.deleteWebhook},
		{ID: "listDeliveries", Method: get, Path: "/admin/webhooks/{webhookName}/deliveries", Tag: "Webhooks", Kind: rest.Admin, Query: deliveryQuery, Handle: s.listDeliveries},
		{ID: "resendDelivery", Method: post, Path: "/admin/webhooks/{webhookName}/deliveries/{deliveryId}/resend", Tag: "Webhooks", Kind: rest.Admin, Handle: s.resendDelivery},

		{ID: "listSandboxes", Method: get, Path: "/admin/sandboxes", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Query: sandboxQuery, Handle: s.listSandboxes},
		{ID: "createSandbox", Method: post, Path: "/admin/sandboxes", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Body: optional, TakesTurn: true, Handle: s.createSandbox},
		{ID: "getSandbox", Method: get, Path: "/admin/sandboxes/{sandboxName}", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Handle: s.getSandbox},
		{ID: "makeSandbox", Method: put, Path: "/admin/sandboxes/{sandboxName}", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Body: optional, TakesTurn: true, Handle: s.makeSandbox},
		{ID: "dropSandbox", Method: del, Path: "/admin/sandboxes/{sandboxName}", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Handle: s.dropSandbox},
		{ID: "forkSandbox", Method: post, Path: "/admin/sandboxes/{sandboxName}/fork", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Body: required, Handle: s.forkSandbox},

		{ID: "getTemplate", Method: get, Path: "/admin/template", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Handle: s.getTemplate},
		{ID: "setTemplate", Method: put, Path: "/admin/template", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Body: required, Handle: s.setTemplate},
		{ID: "dropTemplate", Method: del, Path: "/admin/template", Tag: "Sandboxes", Kind: rest.Admin, ServerWide: true, Handle: s.dropTemplate},

		{ID: "getWorkshop", Method: get, Path: "/admin/workshop", Tag: "Workshop", Kind: rest.Admin, ServerWide: true, Handle: s.getWorkshop},
		{ID: "setWorkshop", Method: put, Path: "/admin/workshop", Tag: "Workshop", Kind: rest.Admin, ServerWide: true, Body: required, Handle: s.setWorkshop},
		{ID: "endWorkshop", Method: post, Path: "/admin/workshop/end", Tag: "Workshop", Kind: rest.Admin, ServerWide: true, Frees: true, Handle: s.endWorkshop},
		{ID: "getDoor", Method: get, Path: rest.JoinPath + "/door", Tag: "Workshop", Kind: rest.Admin, ServerWide: true, Anybody: true, Handle: s.getDoor},
		{ID: "joinWorkshop", Method: post, Path: rest.JoinPath, Tag: "Workshop", Kind: rest.Admin, ServerWide: true, Anybody: true, Body: rest.Body{Max: 4 << 10}, Handle: s.join()},
	}
}
