package admin_test

import (
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestMain(m *testing.M) { Main(m) }
