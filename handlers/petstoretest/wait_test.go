package petstoretest_test

import (
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
)

// TestWaitForMoreThanTheJournalKeeps wants a wait that could never end well to be
// refused at once, as over HTTP.
func TestWaitForMoreThanTheJournalKeeps(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) { c.Journal = new(5) }))
	mustEnd(t, func(fake *exampleT) { srv.For(fake).WaitForRequests(time.Hour, petstoretest.Filter{}, 6) },
		"the journal keeps 5 requests at most, so WaitForRequests cannot return 6; use a larger Config.Journal")
}

// TestWaitForRequestsTellsOfNone wants whole sentences where no request has come.
func TestWaitForRequestsTellsOfNone(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	fake := newExampleT()
	ended := make(chan struct{})
	go func() { // which Fatalf ends
		defer close(ended)
		srv.For(fake).WaitForRequests(time.Millisecond, petstoretest.Filter{}, 1)
	}()
	<-ended
	if want := "petstoretest: WaitForRequests waited for 1ms: 0 of 1 requests arrived; the journal is empty"; fake.fatal != want {
		t.Errorf("the test ends with %q, want %q", fake.fatal, want)
	}
}
