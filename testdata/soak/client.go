package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"
)

// client sends random requests, as a test suite would.
type client struct {
	p      *petstore
	random *rand.Rand
	http   *http.Client
}

func newClient(p *petstore, number uint64) *client {
	return &client{p: p, random: rand.New(rand.NewPCG(number, 1)), http: &http.Client{Transport: &http.Transport{}}}
}

// action is a request that a client may send.
type action struct {
	weight       int
	method, path string // %d in them is a number from 1 to 150
	body         string
	stream       bool // whether the client closes the connection after a while
}

const pet = `{"name": "Rex", "categoryId": 1}`

var actions = []action{
	{weight: 20, method: "GET", path: "/pets?limit=50&offset=%d"},
	{weight: 10, method: "GET", path: "/pets?status=available&categoryId=3&sort=-name"},
	{weight: 20, method: "GET", path: "/pets/%d"},
	{weight: 20, method: "POST", path: "/pets", body: pet},
	{weight: 10, method: "PUT", path: "/pets/%d", body: pet},
	{weight: 10, method: "PATCH", path: "/pets/%d", body: `{"status": "sold"}`},
	{weight: 10, method: "DELETE", path: "/pets/%d"},
	{weight: 5, method: "POST", path: "/categories", body: `{"name": "Rare"}`},
	{weight: 5, method: "POST", path: "/store/orders", body: `{"petId": 1}`},
	{weight: 5, method: "GET", path: "/store/inventory?maxQuantity=%d"},
	{weight: 5, method: "POST", path: "/messages", body: `{"message": "` + strings.Repeat("long ", 500) + `"}`},
	{weight: 2, method: "GET", path: "/events", stream: true},
	{weight: 1, method: "GET", path: "/admin/events", stream: true},
	{weight: 2, method: "GET", path: "/nothing/at/all"},
	{weight: 2, method: "POST", path: "/pets", body: `{"name": "", "categoryId": 9999}`},

	{weight: 3, method: "POST", path: "/admin/faults", body: `{"probability": 0.2, "times": 20, "status": 503}`},
	{weight: 2, method: "POST", path: "/admin/faults", body: `{"probability": 0.2, "times": 5, "abort": "reset"}`},
	{weight: 2, method: "POST", path: "/admin/faults", body: `{"probability": 0.2, "times": 5, "abort": "truncate"}`},
	{weight: 2, method: "POST", path: "/admin/faults", body: `{"times": 3, "delay": {"fixedMs": 50, "jitterMs": 50}}`},
	{weight: 3, method: "DELETE", path: "/admin/faults"},
	{weight: 5, method: "POST", path: "/admin/reset"},
	{weight: 1, method: "POST", path: "/admin/reset", body: `{"seed": %d, "pets": 500}`},
	{weight: 3, method: "PUT", path: "/admin/snapshots/at-%d"},
	{weight: 3, method: "POST", path: "/admin/snapshots/at-%d/restore"},
	{weight: 3, method: "POST", path: "/admin/undo"},
	{weight: 1, method: "PUT", path: "/admin/state",
		body: `{"categories": [{"id": 1, "name": "One"}], "pets": [{"id": 7, "name": "Rex", "categoryId": 1}]}`},
	{weight: 1, method: "GET", path: "/admin/state"},
	{weight: 1, method: "GET", path: "/admin/state/diff"},
	{weight: 2, method: "PUT", path: "/admin/clock", body: `{"advance": "24h"}`},
	{weight: 2, method: "PUT", path: "/admin/operations/createPet", body: `{"deprecated": true, "brownout": 0.1}`},
	{weight: 3, method: "GET", path: "/admin/requests?limit=50"},
	{weight: 1, method: "GET", path: "/admin/report"},
	{weight: 2, method: "POST", path: "/admin/sandboxes/SANDBOX/fork", body: `{"name": "fork-%d"}`},
	{weight: 3, method: "DELETE", path: "/admin/sandboxes/fork-%d"},
	{weight: 1, method: "DELETE", path: "/admin/sandboxes/SANDBOX"},
}

// draw returns a random action. The weights are the relative probabilities.
func (c *client) draw() action {
	sum := 0
	for _, a := range actions {
		sum += a.weight
	}
	at := c.random.IntN(sum)
	i := slices.IndexFunc(actions, func(a action) bool { at -= a.weight; return at < 0 })
	return actions[i]
}

// step sends one request to one of fifty sandboxes. It returns an error if the answer is wrong.
func (c *client) step(ctx context.Context) error {
	a := c.draw()
	name := fmt.Sprintf("suite-%d", c.random.IntN(50))
	number := fmt.Sprint(1 + c.random.IntN(150))
	fill := strings.NewReplacer("%d", number, "SANDBOX", name)
	if a.stream {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(c.random.IntN(500))*time.Millisecond)
		defer cancel()
	}
	r, err := http.NewRequestWithContext(ctx, a.method, c.p.url+fill.Replace(a.path),
		strings.NewReader(fill.Replace(a.body)))
	if err != nil {
		return err
	}
	r.Header.Set("X-Sandbox", name)
	r.Header.Set("Authorization", "Bearer demo-key")
	if a.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	c.p.requests.Add(1)
	response, err := c.http.Do(r)
	if err != nil {
		return broken(err, a)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return broken(err, a)
	}
	if status := response.StatusCode; status >= 500 && status != http.StatusServiceUnavailable {
		return fmt.Errorf("%s %s: %d", a.method, a.path, status)
	}
	return nil
}

// broken returns the error, or nil if a fault or the end of a stream may have caused it.
func broken(err error, a action) error {
	if a.stream || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return nil
	}
	return fmt.Errorf("%s %s: %w", a.method, a.path, err)
}
