package middleware

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers/rest"
)

func TestStrict(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind   rest.Kind
		strict bool
		path   string
		passes bool
	}{
		{rest.Service, false, "/pets?nmae=x", true},
		{rest.Service, true, "/pets?nmae=x", false},
		{rest.Service, true, "/pets?name=x", true},
		{rest.Service, true, "/pets", true},
		{rest.Private, true, "/messages?nmae=x", false},
		{rest.Health, true, "/healthz?nmae=x", false},
		{rest.Page, true, "/docs/?nmae=x", true},
		{rest.Admin, false, "/admin/reset?nmae=x", false},
		{rest.Admin, false, "/admin/reset?name=x", true},
	} {
		v := newVisit(http.MethodGet, test.path, nil)
		v.x.Operation.Kind, v.x.Operation.Query = test.kind, []string{"name"}
		if v.through(Strict(test.strict)); !test.passes {
			v.expectRefused(t, http.StatusBadRequest, "invalid_parameter")
			continue
		}
		v.expectPassed(t)
		if want := test.kind == rest.Admin || test.strict && test.kind != rest.Page; v.x.Strict != want {
			t.Errorf("%s is read strictly: %t, want %t", test.path, v.x.Strict, want)
		}
	}
}

// TestStrictReadsTheBodyFirst wants a body that cannot be read to be told before.
func TestStrictReadsTheBodyFirst(t *testing.T) {
	t.Parallel()
	v := newVisit(http.MethodPost, "/pets?nmae=x", http.Header{"Content-Type": {"text/plain"}})
	v.x.Operation.Method = http.MethodPost
	v.through(Strict(true)).expectRefused(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
}
