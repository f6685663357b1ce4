package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// waitReadyInterval is how often a server is asked whether it is ready.
const waitReadyInterval = 20 * time.Millisecond

// WaitReady polls the health of the server at a base address, such as
// http://127.0.0.1:8080, until it is well or ctx ends. The error says what the
// last try met.
func WaitReady(ctx context.Context, base string) error {
	tick := time.NewTicker(waitReadyInterval)
	defer tick.Stop()
	met := errors.New("it has not answered")
	for {
		err := checkHealth(ctx, strings.TrimSuffix(base, "/")+"/healthz")
		if err == nil {
			return nil
		}
		if ctx.Err() == nil {
			met = err // that ctx ended in the middle of a try says nothing of the server
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", base, met)
		case <-tick.C:
		}
	}
}

func checkHealth(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("its health is %s", response.Status)
	}
	return nil
}
