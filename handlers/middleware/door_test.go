package middleware

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// TestDoorReleases wants a sandbox to stay while a request goes on in it, however idle
// it is, and to go like any after that, in whatever way the request has ended.
func TestDoorReleases(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func() error{
		"an answer":           func() error { return nil },
		"an error":            func() error { return errors.New("a defect") },
		"a broken connection": func() error { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)
			sandboxes := sandbox.NewRegistry(sandbox.Options{
				Baseline: sandbox.Baseline{State: new(store.State)}, Machine: func() time.Time { return now },
			}, 10, time.Hour)
			t.Cleanup(sandboxes.Close)
			idle := func() {
				now = now.Add(2 * time.Hour)
				sandboxes.Sweep()
			}
			door := Door{Sandboxes: sandboxes}
			handle := rest.Chain(func(x *rest.Exchange) error {
				idle()
				if found, err := sandboxes.Find("ada"); err != nil || found != x.Sandbox {
					t.Errorf("the sandbox of a request that goes on: %v", err)
				}
				return end()
			}, door.Acquire(), door.Refuse(), door.Register())
			x := rest.NewExchange(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/sandboxes/ada/pets", nil))
			x.Operation = &rest.Operation{ID: "listPets", Method: http.MethodGet}
			func() {
				defer func() { _ = recover() }()
				_ = handle(x)
			}()
			if found, err := sandboxes.Find("ada"); err != nil || !found.LastUsed().Equal(now) {
				t.Errorf("the sandbox was not used when the request ended: %v", err)
			}
			idle()
			if _, err := sandboxes.Find("ada"); !errors.Is(err, sandbox.ErrUnknown) {
				t.Errorf("the sandbox of a request that has ended is there: %v", err)
			}
		})
	}
}
