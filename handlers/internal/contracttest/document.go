package contracttest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"example.com/petstore/handlers/docs"
	"example.com/petstore/handlers/rest"
)

// Document is an embedded OpenAPI document, parsed by kin-openapi.
type Document struct {
	*openapi3.T
	router routers.Router
}

// The two OpenAPI documents, with the common headers added to each response.
var (
	ServiceDocument = sync.OnceValue(func() *Document { return loadDocument(docs.Service()) })
	AdminDocument   = sync.OnceValue(func() *Document { return loadDocument(docs.Admin()) })
)

func loadDocument(d *docs.Document) *Document {
	text, err := withCommonHeaders(d.JSON(docs.Now{Server: "/"}))
	if err != nil {
		panic(err)
	}
	parsed, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		panic(err)
	}
	router, err := gorillamux.NewRouter(parsed)
	if err != nil {
		panic(err)
	}
	return &Document{parsed, router}
}

// withCommonHeaders returns the document with the common headers added to each response.
func withCommonHeaders(text []byte) ([]byte, error) {
	type object = map[string]any
	var document object
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	components := document["components"].(object)
	common := components["x-response-headers"].(object)
	describe := func(responses any) {
		for _, response := range responses.(object) {
			if response := response.(object); response["$ref"] == nil {
				headers := maps.Clone(common)
				if own, ok := response["headers"].(object); ok {
					maps.Copy(headers, own)
				}
				response["headers"] = headers
			}
		}
	}
	describe(components["responses"])
	for _, item := range document["paths"].(object) {
		for _, operation := range item.(object) {
			if operation, ok := operation.(object); ok {
				describe(operation["responses"])
			}
		}
	}
	return json.Marshal(document)
}

// DocumentOf returns the document that describes the operations at path.
func DocumentOf(path string) *Document {
	if IsAdmin(path) {
		return AdminDocument()
	}
	return ServiceDocument()
}

// FindOperation returns the operation that r requests, and r as it would be sent to that operation.
// HEAD is looked up as GET, and /admin/data is removed from the path.
func FindOperation(r *http.Request) (*routers.Route, *http.Request, error) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	path, data := strings.CutPrefix(r.URL.Path, rest.DataPath)
	plain := &http.Request{Method: method, URL: &url.URL{Path: path, RawQuery: r.URL.RawQuery}, Header: r.Header}
	route, _, err := DocumentOf(path).router.FindRoute(plain)
	if data && err == nil && (IsAdmin(path) || slices.Contains(undataed, route.Operation.OperationID)) {
		err = routers.ErrPathNotFound
	}
	return route, plain, err
}

// undataed lists the operations of the service that are not available below /admin/data.
var undataed = []string{"getHealth", "streamEvents"}
