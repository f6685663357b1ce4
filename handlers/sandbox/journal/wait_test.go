package journal

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/internal/testmain"
)

// waits calls Wait on a journal without other waiters.
func waits(ctx context.Context, t *testing.T, j *Journal, f Filter, count int) bool {
	enough, err := j.Wait(ctx, f, count)
	if err != nil {
		t.Error(err)
	}
	return enough
}

// TestWait runs in a bubble, where synctest.Wait returns once every goroutine is blocked. It would
// never return if Journal.Wait polled.
func TestWait(t *testing.T) {
	t.Parallel()
	post := Filter{Method: "POST"}
	for _, test := range []struct {
		name string
		do   func(*Journal)
		ends bool // returns at once
		want bool
	}{
		{"for enough", func(j *Journal) { j.Add(&Request{Method: "POST"}) }, true, true},
		{"for other requests", func(j *Journal) { j.Add(&Request{Method: "GET"}); j.Add(&Request{Method: "GET"}) },
			false, false},
		{"for a request that is dropped", func(j *Journal) {
			j.Add(&Request{Method: "POST"})
			j.Add(&Request{Method: "GET"})
			j.Add(&Request{Method: "GET"})
			j.Add(&Request{Method: "GET"})
		}, true, true},
		{"across a reset", func(j *Journal) { j.Reset(); j.Add(&Request{Method: "POST", Resets: 1}) }, false, false},
		{"beyond a reset", func(j *Journal) {
			j.Reset()
			j.Add(&Request{Method: "POST", Resets: 1})
			j.Add(&Request{Method: "POST", Resets: 1})
		}, true, true},
		{"until the end of ctx", func(*Journal) {}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			testmain.Bubble(t, func(t *testing.T) {
				j := newJournal(3)
				j.Add(&Request{Method: "POST"}) // one of the two expected requests
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				answered := make(chan bool, 1)
				go func() { answered <- waits(ctx, t, j, post, 2) }()
				synctest.Wait()
				if len(answered) > 0 {
					t.Fatal("did not wait")
				}
				test.do(j)
				synctest.Wait()
				if atOnce := len(answered) > 0; atOnce != test.ends {
					t.Errorf("the wait is over: %t, want %t", atOnce, test.ends)
				}
				if got := <-answered; got != test.want { // after a minute at the latest
					t.Errorf("Wait() = %t, want %t", got, test.want)
				}
				if len(j.waiters) > 0 {
					t.Error("a waiter remains")
				}
			})
		})
	}
}

// TestCheckCount checks that a wait can be for as many entries as the journal keeps, and no more.
func TestCheckCount(t *testing.T) {
	t.Parallel()
	j := newJournal(3)
	if err := j.CheckCount(3); err != nil {
		t.Errorf("a wait for 3 of 3 entries is refused: %v", err)
	}
	if j.CheckCount(4) == nil || newJournal(0).CheckCount(1) == nil {
		t.Error("a wait for more entries than the journal keeps is not refused")
	}
}

func TestWaitSinceFutureRequest(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		j := newJournal(3)
		answered := make(chan bool, 1)
		go func() { answered <- waits(t.Context(), t, j, Filter{Since: 2}, 1) }()
		for id := range 3 {
			synctest.Wait()
			if len(answered) > 0 {
				t.Fatalf("Wait() since 2 ends with the entry %d", id)
			}
			j.Add(&Request{})
		}
		if !<-answered {
			t.Error("Wait() = false")
		}
	})
}
