package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// How long and how often a server is asked whether it is ready.
const (
	waitReadyTimeout  = 30 * time.Second
	waitReadyInterval = 20 * time.Millisecond
)

// WaitReady polls the health of the server at a base address, such as
// http://127.0.0.1:8080, until it is well, ctx ends or 30 seconds are over. The
// error says what the last try met.
func WaitReady(ctx context.Context, base string) error {
	ctx, cancel := context.WithTimeout(ctx, waitReadyTimeout)
	defer cancel()
	tick := time.NewTicker(waitReadyInterval)
	defer tick.Stop()
	for {
		err := checkHealth(ctx, strings.TrimSuffix(base, "/")+"/healthz")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w", base, err)
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
