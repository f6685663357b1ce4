package mcp

import (
	"context"
	"net/http"
	"slices"
)

// resource is a document that a client can read. Its path is relative to the connection's sandbox.
type resource struct{ path, title, mimeType, description string }

// resources lists all resources, in the order of resources/list.
var resources = []resource{
	{"/openapi.json", "The API", "application/json",
		"The OpenAPI document of the pet store: operations, schemas, errors and examples."},
	{"/openapi.yaml", "The API, as YAML", "application/yaml", "The OpenAPI document of the pet store."},
	{"/admin/openapi.json", "The control plane", "application/json",
		"The OpenAPI document of the control plane, which the tools call."},
	{"/admin/openapi.yaml", "The control plane, as YAML", "application/yaml",
		"The OpenAPI document of the control plane."},
	{"/docs/petstore.http", "Requests", "text/plain",
		"A request for every operation of the pet store, with an example and a key."},
}

func (r *resource) uri() string { return "petstore://" + r.path }

func listResources() []object {
	all := make([]object, len(resources))
	for i, r := range resources {
		all[i] = object{"uri": r.uri(), "name": r.path[1:], "title": r.title, "mimeType": r.mimeType,
			"description": r.description}
	}
	return all
}

// readResource returns the resource with the URI. Its text contains the addresses at which the
// caller can reach the service.
func (s *Server) readResource(ctx context.Context, who *caller, uri string) (object, *failure) {
	i := slices.IndexFunc(resources, func(r resource) bool { return r.uri() == uri })
	if i < 0 {
		return nil, fail(invalidParams, "unknown resource %q; resources/list lists them", uri)
	}
	r := &resources[i]
	a, err := s.do(ctx, who, &target{method: http.MethodGet, address: r.path})
	if err != nil {
		return nil, fail(internalError, "%s", err)
	}
	contents := object{"uri": uri, "mimeType": r.mimeType, "text": string(a.body)}
	return cacheable(object{"contents": []object{contents}}), nil
}
