package contracttest

import (
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"example.com/petstore/handlers/internal/testmain"
)

// Main runs the tests of a package that uses worlds. TestMain must call it. It fails if a goroutine
// is still running after the tests.
func Main(m interface{ Run() int }) {
	openapi3filter.RegisterBodyDecoder("application/xml", openapi3filter.PlainBodyDecoder) // JUnit files
	openapi3filter.RegisterBodyDecoder("image/svg+xml", openapi3filter.PlainBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/har+json", openapi3filter.JSONBodyDecoder)
	// RFC 3339, section 5.6, allows lower-case t and z. By default, kin-openapi does not.
	openapi3.DefineStringFormatValidator("date-time",
		openapi3.NewRegexpFormatValidator("(?i)"+openapi3.FormatOfStringDateTime))
	testmain.Run(m)
}
