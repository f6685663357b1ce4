package contracttest_test

import (
	"flag"
	"testing"

	"example.com/petstore/handlers/internal/contracttest"
)

// checks is how many requests of each operation are drawn, unless -rapid.checks says so.
const checks = "25"

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", checks); err != nil { // before the command line is read
		panic(err)
	}
	contracttest.Main(m)
}
