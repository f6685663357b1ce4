package docs_test

import (
	"testing"

	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestMain(m *testing.M) { Main(browsertest.Closing(m)) }
