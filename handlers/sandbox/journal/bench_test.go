package journal

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

func BenchmarkJournalAdd(b *testing.B) {
	j := newJournal(1000)
	r := browserRequest()
	b.ReportAllocs()
	for b.Loop() {
		j.Add(&r)
	}
}

// BenchmarkJournalAddWithPollers adds to a full journal that others read all the time. It
// reports the 99th percentile of the time that one entry takes.
func BenchmarkJournalAddWithPollers(b *testing.B) {
	for _, pollers := range []int{0, 4} {
		b.Run(fmt.Sprintf("pollers=%d", pollers), func(b *testing.B) {
			j := newJournal(100_000)
			large := browserRequest()
			large.Body = bytes.Repeat([]byte("x"), 2000)
			for range 3000 {
				j.Add(&large)
			}
			var pollersEnd sync.WaitGroup
			ctx, end := context.WithCancel(b.Context())
			for range pollers {
				pollersEnd.Go(func() {
					for ctx.Err() == nil {
						j.Find(Filter{Method: "PUT"}, 100)
					}
				})
			}
			r := browserRequest()
			took := make([]time.Duration, 0, b.N)
			for b.Loop() {
				begin := time.Now()
				j.Add(&r)
				took = append(took, time.Since(begin))
			}
			b.StopTimer()
			end()
			pollersEnd.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}

func BenchmarkJournalAddParallel(b *testing.B) {
	j := newJournal(1000)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		r := browserRequest()
		for pb.Next() {
			j.Add(&r)
		}
	})
}

func BenchmarkPublish(b *testing.B) {
	for _, readers := range []int{0, 10} {
		b.Run(fmt.Sprintf("readers=%d", readers), func(b *testing.B) {
			h := &newJournal(0).hub
			var streams []*Stream
			for range readers {
				s, _ := h.listen(FromNow, false)
				streams = append(streams, s)
			}
			e := Event{Name: "pet.created", Data: []byte(`{"id":101,"name":"Rex","categoryId":1,"status":"available"}`)}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				h.publish(e)
				if n%maxWaiting == maxWaiting-1 { // readers that keep up
					b.StopTimer()
					for _, s := range streams {
						for range maxWaiting {
							<-s.events
						}
					}
					b.StartTimer()
				}
			}
		})
	}
}
