package webhook

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestResend(t *testing.T) {
	bubble(t, func(t *testing.T) {
		code := newStatus(500)
		b := newBench(t, code.answer, nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created")
		time.Sleep(time.Hour)
		code.Store(204)
		id := deliveries(t, b.Hooks, "one")[0].ID
		for range 20 { // one that has failed for good, and one that was delivered
			d, err := b.Resend("one", id)
			if err != nil || d.State != Pending {
				t.Fatal(d, err)
			}
			synctest.Wait()
		}
		list := deliveries(t, b.Hooks, "one")
		if i := info(t, b.Hooks, "one"); len(list) != 1 || list[0].State != Delivered || i.Pending != 0 || len(list[0].Tries) != maxKeptTries {
			t.Errorf("%q, %+v", outline(list), i)
		}
		for _, c := range b.receiver.requests() {
			if c.id != list[0].MessageID {
				t.Errorf("sent again as %s, want %s", c.id, list[0].MessageID)
			}
		}
		if _, err := b.Resend("one", 99); !errors.Is(err, ErrUnknownDelivery) {
			t.Errorf("of no delivery: %v", err)
		}
		if _, err := b.Resend("two", 1); !errors.Is(err, ErrUnknown) {
			t.Errorf("of no webhook: %v", err)
		}
	})
}

// TestResendNow checks that a resent delivery that waits for its next try is tried at once, and as
// often as a new one.
func TestResendNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, always(500), nil)
		set(t, b.Hooks, "one")
		notify(b.Hooks, "pet.created")
		time.Sleep(10 * time.Second)
		if _, err := b.Resend("one", 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if got, want := b.receiver.after(b.start), "0 1 3 7 10 11 13 17 25 41 73 133"; got != want {
			t.Errorf("tries after %s s, want %s", got, want)
		}
	})
}

// TestAgainDuringATry resends a delivery, or sets its webhook, during a try. The result of that
// try is ignored.
func TestAgainDuringATry(t *testing.T) {
	resend := func(t *testing.T, b *bench) {
		if _, err := b.Resend("one", 1); err != nil {
			t.Error(err)
		}
	}
	for name, test := range map[string]struct {
		again    func(*testing.T, *bench)
		statuses []int
		want     string
	}{
		"resend what fails":    {resend, []int{500, 500, 204}, "0 2 5"},
		"resend what succeeds": {resend, []int{204, 204}, "0 2"},
		"resend what is gone":  {resend, []int{410}, "0"},
		"set":                  {func(t *testing.T, b *bench) { set(t, b.Hooks, "one") }, []int{204, 500, 204}, "0 1 4"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				b := newBench(t, func(r *http.Request, n int) (*http.Response, error) {
					select {
					case <-time.After(2 * time.Second):
						return status(test.statuses[n-1])
					case <-r.Context().Done():
						return nil, context.Cause(r.Context())
					}
				}, nil)
				set(t, b.Hooks, "one")
				notify(b.Hooks, "pet.created")
				time.Sleep(time.Second)
				test.again(t, b)
				time.Sleep(time.Hour)
				if got := b.receiver.after(b.start); got != test.want {
					t.Errorf("tries after %s s, want %s", got, test.want)
				}
				if i := info(t, b.Hooks, "one"); i.Pending != 0 {
					t.Errorf("%+v", i)
				}
			})
		})
	}
}
