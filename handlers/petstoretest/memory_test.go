package petstoretest_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

func TestWithoutNetworkIsTheWholeService(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithoutNetwork(), petstoretest.WithConfig(func(c *petstoretest.Config) {
		c.AllowedHosts = []string{"other.test"}
	}))
	pets := srv.Sandbox(t.Name())
	if made := create(t, srv, "Rex"); made.ID != 101 {
		t.Errorf("made %+v, want id 101", made)
	}
	get[any](t, srv, "/admin")                             // the control plane accepts the host
	large := strings.NewReader(strings.Repeat(" ", 2<<20)) // longer than the server reads
	response, err := pets.Client.Post(pets.URL+"/pets", "application/json", large)
	if err != nil {
		t.Fatal(err)
	}
	read[any](t, response, http.StatusRequestEntityTooLarge)
	for _, address := range []string{"http://example.com/pets", "http://127.0.0.1/pets", "https://petstore.test/pets"} {
		if response, err := srv.Client.Get(address); err == nil || !strings.Contains(err.Error(), "without a network") {
			t.Errorf("%s: %v, %v, want an error that says why", address, response, err)
		}
	}
}

func TestWithoutNetworkStreams(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := srv.Client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func() string {
		for lines.Scan() && lines.Text() == "" {
		}
		return lines.Text()
	}
	if line := next(); line != ": listening" {
		t.Errorf("the stream begins with %q", line)
	}
	create(t, srv, "Rex")
	next() // the id
	if line := next(); line != "event: pet.created" {
		t.Errorf("the stream goes on with %q", line)
	}
	cancel()
	for lines.Scan() {
	}
	if err := lines.Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("the stream ends with %v, want %v", err, context.Canceled)
	}
}

func TestWithoutNetworkBreaksOff(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
	srv.Fault(petstoretest.Rule{Match: &petstoretest.Match{OperationID: "listPets"}, Abort: petstoretest.AbortTruncate})
	response, err := srv.Client.Get(srv.URL + "/pets")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); !errors.Is(err, io.ErrUnexpectedEOF) || len(body) == 0 {
		t.Errorf("%d bytes, then %v, want some, then %v", len(body), err, io.ErrUnexpectedEOF)
	}

	srv.SetFaults(petstoretest.Rule{Abort: petstoretest.AbortReset})
	if status := addPet(srv.Client, srv.URL, "Rex"); status != "broken off" {
		t.Errorf("a reset is answered %s", status)
	}
}

func TestWithoutNetworkHangsUntilCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		srv.Fault(petstoretest.Rule{Abort: petstoretest.AbortHang})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/pets", nil)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() {
			response, err := srv.Client.Do(request)
			if err == nil {
				response.Body.Close()
			}
			ended <- err
		}()
		synctest.Wait() // until all goroutines are blocked
		if n := srv.Faults()[0].Applied; n != 1 || len(ended) > 0 {
			t.Errorf("the rule was applied %d times, and %d requests have ended", n, len(ended))
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the request ends with %v, want %v", err, context.Canceled)
		}
		if r := srv.WaitForRequests(time.Minute, petstoretest.Filter{}, 1); r[0].Status != 0 {
			t.Errorf("the journal has status %d, want none", r[0].Status)
		}
	})
}

// TestWaitsTakeNoTime checks what WithoutNetwork documents about bubbles: a delay of nine
// minutes passes at once.
func TestWaitsTakeNoTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		pets := srv.Sandbox(t.Name())
		pets.Fault(petstoretest.Rule{Delay: &petstoretest.Delay{FixedMs: new(540_000)}, Times: new(1)})
		before := time.Now()
		if status := addPet(pets.Client, pets.URL, "Rex"); status != "201 Created" || time.Since(before) != 9*time.Minute {
			t.Errorf("%s after %v, want 201 after 9 minutes", status, time.Since(before))
		}
		mustEnd(t, func(fake *exampleT) { srv.For(fake).WaitForRequests(time.Hour, petstoretest.Filter{}, 1) }, "0 of 1")
		if passed := time.Since(before); passed != 69*time.Minute {
			t.Errorf("%v have gone by, want 69 minutes", passed)
		}
	})
}
