package handlers

import (
	"net/http"

	"example.com/petstore/handlers/rest"
)

// index answers GET / with links to what there is.
func index(x *rest.Exchange) error {
	type links struct {
		Pets       string `json:"pets"`
		Categories string `json:"categories"`
		Orders     string `json:"orders"`
		Inventory  string `json:"inventory"`
		Messages   string `json:"messages"`
		Events     string `json:"events"`
		Health     string `json:"health"`
		OpenAPI    string `json:"openapi"`
		Docs       string `json:"docs"`
		Admin      string `json:"admin"`
	}
	return x.JSON(http.StatusOK, links{
		Pets:       x.URL("/pets"),
		Categories: x.URL("/categories"),
		Orders:     x.URL("/store/orders"),
		Inventory:  x.URL("/store/inventory"),
		Messages:   x.URL("/messages"),
		Events:     x.URL("/events"),
		Health:     x.URL("/healthz"),
		OpenAPI:    x.URL("/openapi.json"),
		Docs:       x.URL("/docs/"),
		Admin:      x.URL("/admin"),
	})
}
