package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/petstore/handlers"
)

func TestWaitReady(t *testing.T) {
	t.Parallel()
	if err := handlers.WaitReady(t.Context(), newWorld(t).url+"/"); err != nil {
		t.Error(err)
	}
}

// TestWaitReadyTellsWhatItMet wants the server's answer, not that the time is over.
func TestWaitReadyTellsWhatItMet(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	ill := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 3 {
			cancel() // in the middle of a try
			return
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	defer ill.Close()
	err := handlers.WaitReady(ctx, ill.URL)
	if err == nil || !strings.Contains(err.Error(), ill.URL) || !strings.Contains(err.Error(), "418") {
		t.Errorf("error %v, want the address and the status in it", err)
	}
}
