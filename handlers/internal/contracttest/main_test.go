package contracttest_test

import (
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

func TestMain(m *testing.M) { contracttest.Main(m) }
