package sandbox

import (
	"strconv"
	"sync"
	"testing"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// newJournalled returns a sandbox whose journal keeps the given number of entries.
func newJournalled(entries int) *Sandbox {
	baseline := Baseline{State: new(store.State)}
	return loneSandbox(Options{Origin: baseline, Machine: Machine, Journal: entries})
}

// TestEventOrder has concurrent writers, and readers that disconnect and resume.
// Each event contains the number of its write.
func TestEventOrder(t *testing.T) {
	t.Parallel()
	const writers, each = 4, 100
	sb := newJournalled(writers * each)
	writes := 0 // guarded by the store's write lock
	var writing, reading sync.WaitGroup
	for range writers {
		writing.Go(func() {
			for range each {
				event := journal.Event{Name: "write"}
				_, _, err := sb.Update(&event, func(tx *store.Tx) error {
					writes++
					event.Data = []byte(strconv.Itoa(writes))
					_, err := store.Messages.Create(tx, store.Message{})
					return err
				})
				if err != nil {
					t.Error(err)
				}
				sb.Journal.Add(&journal.Request{Path: "/pets"})
			}
		})
	}
	for reader := range 3 {
		reading.Go(func() {
			requests := reader > 0
			write, request, last := 0, int64(0), int64(0)
			see := func(e journal.Event) {
				if e.ID <= last {
					t.Errorf("event %d comes after %d", e.ID, last)
				}
				last = e.ID
				if e.Request != nil {
					if request++; e.Request.ID != request {
						t.Errorf("request %d is event %d", e.Request.ID, request)
					}
					return
				}
				if write++; string(e.Data) != strconv.Itoa(write) {
					t.Errorf("write %s is event %d", e.Data, write)
				}
			}
			for write < writers*each || requests && request < writers*each {
				s, err := sb.Journal.Listen(last, requests)
				if err != nil {
					t.Error(err)
					return
				}
				if s.Gap != nil {
					t.Errorf("a gap %v", *s.Gap)
				}
				for e, gap := range s.Missed() {
					if gap != nil {
						t.Errorf("a gap %v", *gap)
						return
					}
					see(e)
				}
				for range 7 { // then the reader disconnects and resumes
					if write == writers*each && (!requests || request == writers*each) {
						break
					}
					if e, ok := <-s.Events(); ok {
						see(e)
					}
				}
				s.Close()
			}
		})
	}
	writing.Wait()
	reading.Wait()
}
