package middleware

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers/rest"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	sb := newSandboxWith(nil)
	var numbers []uint64
	for _, kind := range []rest.Kind{rest.Service, rest.Admin, rest.Private, rest.Health, rest.Page, rest.Service} {
		v := newVisit(http.MethodGet, "/pets", nil)
		v.x.Sandbox, v.x.Operation.Kind = sb, kind
		v.through(Number()).expectPassed(t)
		numbers = append(numbers, v.x.Draws.Number())
	}
	if want := [6]uint64{1, 0, 2, 0, 0, 3}; [6]uint64(numbers) != want {
		t.Errorf("the numbers are %v, want %v", numbers, want)
	}
}
