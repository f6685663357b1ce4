// Package extras provides what the program serves in addition to the service and its control plane:
// the dashboard and the other pages, the OpenAPI documents with Swagger UI, and the tools for
// agents. A test binary contains the extras only if the test imports this package.
package extras

import (
	"net/http"
	"slices"

	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/mcp"
	"example.com/petstore/handlers/pages"
	"example.com/petstore/handlers/rest"
)

// Add adds all extras to a server's configuration. A test uses it like this:
//
//	srv := petstoretest.Run(t, petstoretest.WithConfig(extras.Add))
func Add(c *config.Config) { c.Extras = operations }

func operations(c *config.Config, service http.Handler, index rest.Handler) []rest.Operation {
	return slices.Concat(
		docs.Pages(len(c.APIKeys) > 0, c.AdminKey != ""),
		pages.Operations(c.Workshop, index),
		[]rest.Operation{mcp.New(service, c.Version).Operation()},
	)
}
