package petstoretest_test

import (
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// TestWaitForMoreThanTheJournalKeeps checks that a wait that cannot succeed is refused
// at once, as over HTTP.
func TestWaitForMoreThanTheJournalKeeps(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.Journal = new(5) }))
	mustEnd(t, func(fake *exampleT) { srv.For(fake).WaitForRequests(time.Hour, petstoretest.Filter{}, 6) },
		"WaitForRequests: the count must be at most 5, the size of the journal; set a larger Config.Journal")
}

func TestCloseEndsWhatWaits(t *testing.T) {
	t.Parallel()
	srv, err := petstoretest.Start()
	if err != nil {
		t.Fatal(err)
	}
	stream := srv.Sandbox("ada").Listen(petstoretest.FromNow)
	srv.Close()
	if _, open := <-stream.Events(); open {
		t.Error("the stream goes on after Close")
	}
}

func TestWaitForRequestsThatDoNotCome(t *testing.T) {
	t.Parallel()
	pets := petstoretest.Run(t)
	mustEnd(t, func(fake *exampleT) { pets.For(fake).WaitForRequests(time.Millisecond, petstoretest.Filter{}, 1) },
		"petstoretest: WaitForRequests waited for 1ms: 0 of 1 requests arrived; the journal is empty")
	addPet(pets.Client, pets.URL, "Rex")
	filter := petstoretest.Filter{Method: "DELETE"}
	mustEnd(t, func(fake *exampleT) { pets.For(fake).WaitForRequests(time.Millisecond, filter, 2) }, "0 of 2", "1ms", "1: POST /pets 201")
	mustEnd(t, func(fake *exampleT) { // dropped before or while it waits
		ada := pets.For(fake).Sandbox("ada")
		var waiting sync.WaitGroup
		waiting.Go(ada.Drop)
		defer waiting.Wait()
		ada.WaitForRequests(time.Minute, filter, 1)
	}, "dropped")
}

func TestListenMissesNothing(t *testing.T) {
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

// TestWaitForRequestsThatCannotCome interrupts a wait. The message of the failed test must
// not report a timeout.
func TestWaitForRequestsThatCannotCome(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end  func(*petstoretest.Server)
		want string
	}{
		"dropped": {func(s *petstoretest.Server) { s.Sandbox("ada").Drop() }, "the sandbox was dropped"},
		"closed":  {(*petstoretest.Server).Close, "the server was stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, err := petstoretest.Start()
			if err != nil {
				t.Fatal(err)
			}
			defer srv.Close()
			ada := srv.Sandbox("ada")
			addPet(ada.Client, ada.URL, "Rex")
			mustEnd(t, func(fake *exampleT) {
				waiting := srv.For(fake).Sandbox("ada")
				time.AfterFunc(10*time.Millisecond, func() { test.end(srv) })
				waiting.WaitForRequests(time.Hour, petstoretest.Filter{}, 2)
			}, test.want+` while WaitForRequests waited in "ada": 1 of 2 requests arrived`, "1: POST /pets 201")
		})
	}
}

// TestWaitForDeliveriesThatCannotCome closes the server during a wait.
func TestWaitForDeliveriesThatCannotCome(t *testing.T) {
	t.Parallel()
	srv, err := petstoretest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	mustEnd(t, func(fake *exampleT) {
		waiting := srv.For(fake).Sandbox("ada")
		waiting.SetWebhook("shop", petstoretest.Webhook{URL: "http://127.0.0.1:9/"})
		time.AfterFunc(10*time.Millisecond, srv.Close)
		waiting.WaitForDeliveries(time.Hour, "shop", petstoretest.DeliveryFilter{}, 1)
	}, `the server was stopped while WaitForDeliveries waited in "ada": fewer than 1 deliveries matched; there are: none`)
}
