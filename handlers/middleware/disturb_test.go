package middleware

import (
	"net/http"
	"slices"
	"testing"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
)

func TestDraws(t *testing.T) {
	t.Parallel()
	sb := newSandboxWith(nil)
	var got []fault.Draws
	for _, kind := range []rest.Kind{rest.Service, rest.Admin, rest.Private, rest.Health, rest.Page, rest.Service} {
		v := newVisit(http.MethodGet, "/pets", nil)
		v.x.Sandbox, v.x.Operation.Kind = sb, kind
		v.through(Disturb).expectPassed(t)
		got = append(got, v.x.Draws)
	}
	seed := sb.Baseline().Seed
	want := []fault.Draws{fault.NewDraws(seed, 1), {}, fault.NewDraws(seed, 2), {}, {}, fault.NewDraws(seed, 3)}
	if !slices.Equal(got, want) {
		t.Errorf("the draws are %v, want %v", got, want)
	}
}
