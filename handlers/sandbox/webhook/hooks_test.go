package webhook

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEventsAreDelivered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := newBench(t, always(204), nil)
		set(t, b.Hooks, "all")
		set(t, b.Hooks, "pets", "pet.*", "order.deleted")
		notify(b.Hooks, "pet.created", "order.created", "order.deleted")
		b.Notify(Event{Type: "sandbox.reset", At: b.start})
		synctest.Wait()
		if diff := cmp.Diff([]string{"pet.created delivered 204", "order.created delivered 204", "order.deleted delivered 204", "sandbox.reset delivered 204"}, outline(deliveries(t, b.Hooks, "all"))); diff != "" {
			t.Errorf("all, -want +got:\n%s", diff)
		}
		pets := deliveries(t, b.Hooks, "pets")
		if diff := cmp.Diff([]string{"pet.created delivered 204", "order.deleted delivered 204"}, outline(pets)); diff != "" {
			t.Errorf("pets, -want +got:\n%s", diff)
		}
		if of := deliveries(t, b.Hooks, "all")[0]; of.MessageID != pets[0].MessageID || of.ID == pets[0].ID || pets[0].MessageID == pets[1].MessageID {
			t.Errorf("the message of one event is %s and %s, of the next %s", of.MessageID, pets[0].MessageID, pets[1].MessageID)
		}
		if got, want := string(pets[0].Payload), `{"type":"pet.created","timestamp":"2031-01-02T03:04:05Z","data":{"id":7}}`; got != want || pets[0].Tries[0].Body != "thanks" {
			t.Errorf("the payload is %s, want %s; the body of the answer is %q", got, want, pets[0].Tries[0].Body)
		}
		var resets []string
		for _, r := range b.receiver.requests() { // of the two webhooks in no order
			if strings.Contains(r.body, "sandbox.reset") {
				resets = append(resets, r.body)
			}
		}
		if want := fmt.Sprintf(`{"type":"sandbox.reset","timestamp":%q,"data":{}}`, b.start.UTC().Format(time.RFC3339Nano)); !slices.Equal(resets, []string{want}) {
			t.Errorf("the bodies are %q, want %s", resets, want)
		}
		if got := b.sender.Counts(); got != (Counts{Delivered: 6}) {
			t.Errorf("counts: %+v", got)
		}
	})
}

func TestHooksAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, always(204), nil)
	for i := range MaxHooks {
		set(t, b.Hooks, fmt.Sprint("h", i))
	}
	if _, _, err := b.Set("one-more", Settings{URL: "http://127.0.0.1/"}); !errors.Is(err, ErrFull) {
		t.Errorf("one more: %v", err)
	}
	set(t, b.Hooks, "h3")
	if n := b.Bytes(); n != MaxHooks*hookBytes || n > MaxBytes {
		t.Errorf("%d bytes", n)
	}
	if err := b.Drop("h3"); err != nil || len(b.List()) != MaxHooks-1 {
		t.Error(err)
	}
	if err := b.Drop("h3"); !errors.Is(err, ErrUnknown) {
		t.Errorf("dropped twice: %v", err)
	}
}
