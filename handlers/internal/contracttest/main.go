package contracttest

import (
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"example.com/petstore/handlers/internal/testmain"
)

// Main is TestMain of a package whose tests have worlds: no goroutine may outlive them.
func Main(m interface{ Run() int }) {
	openapi3filter.RegisterBodyDecoder("application/xml", openapi3filter.PlainBodyDecoder) // JUnit files
	openapi3filter.RegisterBodyDecoder("image/svg+xml", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/har+json", openapi3filter.JSONBodyDecoder)
	// That of kin-openapi has T and Z in upper case alone; RFC 3339, section 5.6, has either.
	openapi3.DefineStringFormatValidator("date-time", openapi3.NewRegexpFormatValidator("(?i)"+openapi3.FormatOfStringDateTime))
	testmain.Run(m)
}
