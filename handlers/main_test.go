package handlers_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	openapi3filter.RegisterBodyDecoder("application/xml", openapi3filter.PlainBodyDecoder) // JUnit files
	goleak.VerifyTestMain(m)
}
