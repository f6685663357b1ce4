package petstoretest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/petstoretest"
)

func TestWaitForRequestsTimeout(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t)
	mustEnd(t, func(fake *exampleT) { pets.For(fake).WaitForRequests(time.Millisecond, petstoretest.Filter{}, 1) },
		"petstoretest: WaitForRequests waited for 1ms: 0 of 1 requests arrived; the journal is empty")
	addPet(pets.Client, pets.URL, "Rex")
	filter := petstoretest.Filter{Method: "DELETE"}
	mustEnd(t, func(fake *exampleT) { pets.For(fake).WaitForRequests(time.Millisecond, filter, 2) }, "0 of 2", "1ms",
		"1: POST /pets 201")
}

func TestListenDeliversEveryEvent(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t)
	addPet(pets.Client, pets.URL, "Rex")
	stream := pets.Listen(0)
	var missed []petstoretest.Event
	for e := range stream.Missed() {
		missed = append(missed, e)
	}
	if len(missed) != 2 || missed[0].Name != "pet.created" || missed[1].Request.Path != "/pets" {
		t.Errorf("missed = %+v, want a pet and its request", missed)
	}
	fake := newExampleT()
	ends := pets.For(fake).Listen(petstoretest.FromNow)
	fake.end()
	if _, open := <-ends.Events(); open {
		t.Error("the stream goes on after its test")
	}
	pets.Undo(1)
	if e := <-stream.Events(); e.Name != petstoretest.EventReset {
		t.Errorf("event %+v, want a reset", e)
	}
}

// TestInterruptedWaits interrupts waits. The message of the failed test must not report a
// timeout.
func TestInterruptedWaits(t *testing.T) {
	t.Parallel()
	drop := func(s *petstoretest.Server) { s.Sandbox("ada").Drop() }
	forRequests := func(s *petstoretest.Sandbox) { s.WaitForRequests(time.Hour, petstoretest.Filter{}, 2) }
	forDeliveries := func(s *petstoretest.Sandbox) {
		s.SetWebhook("shop", petstoretest.Webhook{URL: "http://127.0.0.1:9/"})
		s.WaitForDeliveries(time.Hour, "shop", petstoretest.DeliveryFilter{}, 1)
	}
	const requests = ` while WaitForRequests waited in "ada": 1 of 2 requests arrived`
	for name, test := range map[string]struct {
		wait func(*petstoretest.Sandbox)
		end  func(*petstoretest.Server)
		want []string
	}{
		"dropped": {forRequests, drop, []string{"the sandbox was dropped" + requests, "1: POST /pets 201"}},
		"closed":  {forRequests, (*petstoretest.Server).Close, []string{"the server was stopped" + requests}},
		"closed, deliveries": {forDeliveries, (*petstoretest.Server).Close,
			[]string{`the server was stopped while WaitForDeliveries waited in "ada": fewer than 1 deliveries matched; there are: none`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := must.Get(petstoretest.Start())(t)
			defer srv.Close()
			ada := srv.Sandbox("ada")
			addPet(ada.Client, ada.URL, "Rex")
			mustEnd(t, func(fake *exampleT) {
				waiting := srv.For(fake).Sandbox("ada")
				time.AfterFunc(10*time.Millisecond, func() { test.end(srv) })
				test.wait(waiting)
			}, test.want...)
		})
	}
}

func TestWithoutNetworkHasOneHost(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithoutNetwork(), petstoretest.WithConfig(func(c *petstoretest.Config) {
		c.AllowedHosts = []string{"other.test"}
	}))
	get[any](t, srv, "/admin") // the control plane accepts the host
	for _, address := range []string{"http://example.com/pets", "http://127.0.0.1/pets", "https://petstore.test/pets"} {
		if response, err := srv.Client.Get(address); err == nil || !strings.Contains(err.Error(), "without a network") {
			t.Errorf("%s: %v, %v, want an error that says why", address, response, err)
		}
	}
}

func TestWithoutNetworkHangsUntilCancelled(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		srv.Fault(petstoretest.Rule{Abort: petstoretest.AbortHang})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		request := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/pets", nil))(t)
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

// TestWaitsInBubble checks what WithoutNetwork documents about bubbles: a delay of nine
// minutes passes at once.
func TestWaitsInBubble(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		srv := petstoretest.Run(t, petstoretest.WithoutNetwork())
		pets := srv.Sandbox(t.Name())
		pets.Fault(petstoretest.Rule{Delay: &petstoretest.Delay{FixedMs: new(540_000)}, Times: new(1)})
		before := time.Now()
		if status := addPet(pets.Client, pets.URL, "Rex"); status != "201 Created" ||
			time.Since(before) != 9*time.Minute {
			t.Errorf("%s after %v, want 201 after 9 minutes", status, time.Since(before))
		}
		mustEnd(t, func(fake *exampleT) { srv.For(fake).WaitForRequests(time.Hour, petstoretest.Filter{}, 1) },
			"0 of 1")
		if passed := time.Since(before); passed != 69*time.Minute {
			t.Errorf("%v have gone by, want 69 minutes", passed)
		}
	})
}
