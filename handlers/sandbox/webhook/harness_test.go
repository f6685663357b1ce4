package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox/memory"
)

// receiver stands for all receivers, in memory, so that time does not pass.
type receiver struct {
	answer func(r *http.Request, n int) (*http.Response, error) // to the n-th request, counted from 1

	mu   sync.Mutex
	came []came // guarded by mu
}

type came struct {
	at   time.Time
	id   string
	host string
	body string
}

func (v *receiver) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	v.came = append(v.came, came{time.Now(), r.Header.Get("Webhook-Id"), r.URL.Host, string(body)})
	n := len(v.came)
	v.mu.Unlock()
	return v.answer(r, n)
}

func (v *receiver) requests() []came {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.came
}

// after returns the arrival times of the requests, in seconds after start.
func (v *receiver) after(start time.Time) string {
	var all []string
	for _, c := range v.requests() {
		all = append(all, fmt.Sprint(c.at.Sub(start).Seconds()))
	}
	return strings.Join(all, " ")
}

func status(code int, header ...string) (*http.Response, error) {
	resp := &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("thanks"))}
	for i := 0; i < len(header); i += 2 {
		resp.Header.Set(header[i], header[i+1])
	}
	return resp, nil
}

func always(code int, header ...string) func(*http.Request, int) (*http.Response, error) {
	return func(*http.Request, int) (*http.Response, error) { return status(code, header...) }
}

// changing is a response status that the test changes.
type changing struct{ atomic.Int64 }

func newStatus(code int64) *changing {
	s := new(changing)
	s.Store(code)
	return s
}

func (s *changing) answer(*http.Request, int) (*http.Response, error) { return status(int(s.Load())) }

// hang responds when the try is cancelled.
func hang(r *http.Request, _ int) (*http.Response, error) {
	<-r.Context().Done()
	return nil, context.Cause(r.Context())
}

var errBroken = errors.New("connection reset by peer")

func broken(*http.Request, int) (*http.Response, error) { return nil, errBroken }

// bench is a sender with a receiver and a sandbox.
type bench struct {
	*Hooks
	receiver *receiver
	sender   *Sender
	start    time.Time
}

// types are the event types.
var types = []string{"pet.created", "pet.updated", "pet.deleted", "order.created", "order.deleted", "sandbox.reset"}

func newBench(t *testing.T, answer func(*http.Request, int) (*http.Response, error), budget *memory.Budget) *bench {
	t.Helper()
	b := &bench{receiver: &receiver{answer: answer}, start: time.Now()}
	b.sender = NewSender(Targets{}, types, time.Now, budget)
	b.sender.client.Transport = b.receiver
	b.Hooks = b.sandbox(t)
	t.Cleanup(b.sender.Close)
	return b
}

// sandbox returns the webhooks of another sandbox.
func (b *bench) sandbox(t *testing.T) *Hooks {
	t.Helper()
	h := new(Hooks)
	life, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	h.Init(life, b.sender)
	return h
}

func set(t *testing.T, h *Hooks, name string, events ...string) {
	t.Helper()
	s := Settings{URL: "http://127.0.0.1/" + name, Events: events, Secret: secret}
	if problems := h.Check(&s); len(problems) > 0 {
		t.Fatal(problems)
	}
	if _, _, err := h.Set(name, s); err != nil {
		t.Fatal(err)
	}
}

func notify(h *Hooks, types ...string) {
	for _, typ := range types {
		h.Notify(Event{Type: typ, At: time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC), Data: []byte(`{"id":7}`)})
	}
}

func deliveries(t *testing.T, h *Hooks, name string) []Delivery {
	t.Helper()
	return must.Get(h.Select(name, Filter{}, MaxDeliveries, false, nil))(t).Deliveries
}

// outline returns deliveries as texts: "pet.created delivered 500 204".
func outline(list []Delivery) []string {
	texts := []string{}
	for _, d := range list {
		text := d.Event + " " + string(d.State)
		for _, t := range d.Tries {
			if t.Status == 0 {
				text += " -"
			} else {
				text += fmt.Sprint(" ", t.Status)
			}
		}
		texts = append(texts, text)
	}
	return texts
}

func info(t *testing.T, h *Hooks, name string) Info {
	t.Helper()
	return must.Get(h.Find(name))(t)
}
