package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func readCloser(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

func TestSelect(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, func(_ *http.Request, n int) (*http.Response, error) { return status([]int{204, 500, 204, 410}[n-1]) }, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created", "pet.updated", "pet.updated")
		synctest.Wait()
		for _, test := range []struct {
			filter Filter
			limit  int
			newest bool
			want   []string
			all    int
		}{
			{Filter{}, 10, false, []string{"pet.created delivered 204", "pet.updated pending 500", "pet.updated delivered 204"}, 3},
			{Filter{}, 2, false, []string{"pet.created delivered 204", "pet.updated pending 500"}, 3},
			{Filter{}, 2, true, []string{"pet.updated delivered 204", "pet.updated pending 500"}, 3},
			{Filter{State: Delivered}, 1, true, []string{"pet.updated delivered 204"}, 2},
			{Filter{Event: "pet.updated", Since: 2}, 10, false, []string{"pet.updated delivered 204"}, 1},
			{Filter{State: Failed}, 10, false, []string{}, 0},
		} {
			found, err := b.Select("one", test.filter, test.limit, test.newest, func(int64) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, outline(found.Deliveries)); diff != "" || found.Matched != test.all {
				t.Errorf("%+v: %d match, want %d; -want +got:\n%s", test.filter, found.Matched, test.all, diff)
			}
		}
		if got := b.sender.Counts().Delivered; got != 2 {
			t.Errorf("%d deliveries are counted, want 2", got)
		}
		full := errors.New("full")
		if _, err := b.Select("one", Filter{}, 10, false, func(int64) error { return full }); !errors.Is(err, full) {
			t.Errorf("without memory: %v", err)
		}
	})
}

func TestWait(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(*bench, context.CancelFunc)
		ends bool // returns at once
		want bool
		err  error
	}{
		"for enough":                 {func(b *bench, _ context.CancelFunc) { notify(b.Hooks, "pet.created") }, true, true, nil},
		"for others":                 {func(b *bench, _ context.CancelFunc) { notify(b.Hooks, "order.created") }, false, false, nil},
		"until the webhook is gone":  {func(b *bench, _ context.CancelFunc) { _ = b.Drop("one") }, true, false, ErrUnknown},
		"until the sandbox is gone":  {func(_ *bench, end context.CancelFunc) { end() }, true, false, nil},
		"across a reset":             {func(b *bench, _ context.CancelFunc) { b.Empty(); notify(b.Hooks, "pet.created") }, false, false, nil},
		"for as long as it may take": {func(*bench, context.CancelFunc) {}, false, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				b := newBench(t, always(204), nil)
				life, end := context.WithCancel(t.Context())
				defer end()
				b.Init(life, b.sender)
				set(t, b.Hooks, "one")
				notify(b.Hooks, "pet.created")
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				type outcome struct {
					enough bool
					err    error
				}
				over := make(chan outcome, 1)
				go func() {
					enough, err := b.Wait(ctx, "one", Filter{Event: "pet.created", State: Delivered}, 2)
					over <- outcome{enough, err}
				}()
				synctest.Wait()
				if len(over) > 0 {
					t.Fatal("did not wait")
				}
				test.do(b, end)
				synctest.Wait()
				if atOnce := len(over) > 0; atOnce != test.ends {
					t.Errorf("the wait is over: %t, want %t", atOnce, test.ends)
				}
				if got := <-over; got.enough != test.want || !errors.Is(got.err, test.err) {
					t.Errorf("Wait() = %+v", got)
				}
				if b.waiters != 0 {
					t.Error("somebody still waits")
				}
			})
		})
	}
}

func TestWaitersAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, always(204), nil)
		set(t, b.Hooks, "one")
		ctx, cancel := context.WithCancel(t.Context())
		for range maxWaiters {
			go func() { _, _ = b.Wait(ctx, "one", Filter{}, 1) }()
		}
		synctest.Wait()
		if _, err := b.Wait(ctx, "one", Filter{}, 1); !errors.Is(err, ErrWaiters) {
			t.Errorf("one more: %v", err)
		}
		cancel()
	})
}

func TestFlush(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
			time.Sleep(time.Second)
			return status(503, "Retry-After", "60")
		}, nil)
		b.sender.Flush(t.Context()) // nothing to flush
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created", "pet.updated")
		b.sender.Flush(t.Context())
		if got, took := b.receiver.after(b.start), time.Since(b.start); got != "0 1" || took != 2*time.Second {
			t.Errorf("requests after %s s; waited for %v", got, took)
		}
		notify(b.Hooks, "pet.deleted")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		before := time.Now()
		b.sender.Flush(ctx)
		if took := time.Since(before); took != 10*time.Millisecond {
			t.Errorf("waited for %v", took)
		}
		b.Reset()
		b.sender.Flush(t.Context())
	})
}
