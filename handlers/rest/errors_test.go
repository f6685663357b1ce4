package rest_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// TestAsError checks that known errors are found through wrappers, and that an unknown error
// reveals nothing.
func TestAsError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err    error
		status int
		code   string
		field  string
	}{
		{&rest.Error{Status: 418, Code: "tea"}, 418, "tea", ""},
		{&store.Error{Code: store.NotFound}, 404, "not_found", ""},
		{&store.Error{Code: store.CategoryInUse}, 409, "category_in_use", ""},
		{&store.Error{Code: store.UnknownCategory, Field: "/categoryId"}, 422, "unknown_category", "/categoryId"},
		{&store.Error{Code: store.UnknownPet, Field: "/petId"}, 422, "unknown_pet", "/petId"},
		{&store.Error{Code: store.Full}, 507, "sandbox_full", ""},
		{&store.Error{Code: store.FullBytes}, 507, "sandbox_full", ""},
		{&store.Error{Code: store.TooLarge}, 507, "sandbox_full", ""},
		{&store.Error{Code: store.NoID}, 507, "sandbox_full", ""},
		{fixtures.Problems{{Field: "/pets/0/name"}}, 400, "validation_failed", "/pets/0/name"},
		{fixtures.Problems{{Field: "line 3"}}, 400, "invalid_json", ""},
		{&store.Error{Code: "new", Message: "not yet known here"}, 500, "internal_error", ""},
		{sandbox.ErrKeyReused, 422, "idempotency_key_reused", "Idempotency-Key"},
		{sandbox.ErrKeyInUse, 409, "conflict", ""},
		{errors.New("secret"), 500, "internal_error", ""},
	} {
		for _, err := range []error{test.err, fmt.Errorf("wrapped: %w", test.err)} {
			got := rest.AsError(err)
			if got.Status != test.status || got.Code != test.code {
				t.Errorf("%v: %d %s, want %d %s", err, got.Status, got.Code, test.status, test.code)
			}
			if (len(got.Details) == 1) != (test.field != "") || test.field != "" && got.Details[0].Field != test.field {
				t.Errorf("%v: details = %v, want %q", err, got.Details, test.field)
			}
			if failed := test.status == http.StatusInternalServerError; failed != (got.Cause != nil) {
				t.Errorf("%v: cause = %v", err, got.Cause)
			}
		}
	}
}

// TestErrorAdvice checks that errors of the store and of sandboxes get advice that names
// addresses and flags on the wire, and functions and fields in Go.
func TestErrorAdvice(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		code         field.Code
		args         []any
		onWire, inGo string
	}{
		{store.NotFound, nil, "", ""},
		{store.UnknownCategory, nil, "; see GET /categories", "; see GET /categories"},
		{store.UnknownPet, nil, "; see GET /pets", "; see GET /pets"},
		{store.CategoryInUse, []any{7}, "; GET /pets?categoryId=7 lists them", "; GET /pets?categoryId=7 lists them"},
		{store.Full, nil, "; delete some, reset it, or start the server with a larger --max-records",
			"; delete some, reset it, or set a larger Config.MaxRecords"},
		{store.TooLarge, nil, "; leave some out, or start the server with a larger --max-records",
			"; leave some out, or set a larger Config.MaxRecords"},
		{store.FullBytes, nil,
			"; delete records or snapshots, reset it, or start the server with a larger --sandbox-memory",
			"; delete records or snapshots, reset it, or set a larger Config.SandboxMemory"},
		{store.NoID, nil, "", ""},
		{"not_found.entry", nil, "; GET /admin/requests lists those that are kept",
			"; Requests returns those that are kept"},
		{"history_gone", nil,
			"; a snapshot keeps data for longer, and undo reaches the writes that undoable in GET /admin counts",
			"; a snapshot keeps data for longer, and undo reaches the writes that Undoable counts"},
		{"other_generator", nil, "; export the world with ?data=true, so that its data is in it",
			"; use Sandbox.ExportWorldWithData, so that its data is in it"},
	} {
		err := &field.Problem{Code: test.code, Message: "it is so", Args: test.args}
		if got := rest.Message(err, rest.OnWire); got != "it is so"+test.onWire {
			t.Errorf("%s is %q on the wire, want %q behind it", test.code, got, test.onWire)
		}
		if got := rest.Message(err, rest.InGo); got != "it is so"+test.inGo {
			t.Errorf("%s is %q in Go, want %q behind it", test.code, got, test.inGo)
		}
	}
	full := rest.AsError(registry.ErrLimit)
	const room = "there is no room for another sandbox; drop one, wait until idle ones are dropped, or start " +
		"the server with a larger --max-sandboxes"
	if full.Message != room || full.Header.Get("Retry-After") != "10" {
		t.Errorf("without room: %+v", full)
	}
	reference := &store.Error{Code: store.UnknownPet, Field: "/petId", Message: "it is so"}
	if got := rest.AsError(reference).Details[0]; got.String() != "/petId: it is so; see GET /pets" {
		t.Errorf("the detail is %+v", got)
	}
}
