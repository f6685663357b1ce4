package registry

import (
	"testing"

	"example.com/petstore/handlers/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }
