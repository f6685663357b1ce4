package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
)

// TestDelayEndsWithTheRequest wants a client that has gone to end its delay, a
// minute here, and its operation not to run.
func TestDelayEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequest(http.MethodPost, "/pets", nil).WithContext(ctx)
	r.Header.Set("Prefer", "delay=60000")
	x := rest.NewExchange(httptest.NewRecorder(), r)
	x.Operation = &rest.Operation{ID: "createPet", Method: http.MethodPost}
	err := middleware.Prefer()(func(*rest.Exchange) error {
		t.Error("the operation ran")
		return nil
	})(x)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
}
