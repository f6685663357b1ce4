package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/store"
)

// faults break one request in five. The code of a 503 reports whether the operation has run.
// If the connection breaks, that is unknown.
const faults = `[
	{"probability": 0.04, "status": 503, "code": "not_run"},
	{"probability": 0.04, "status": 503, "code": "has_run", "when": "after"},
	{"probability": 0.04, "abort": "reset"},
	{"probability": 0.04, "abort": "reset", "when": "after"},
	{"probability": 0.04, "abort": "truncate"}
]`

// patience limits the time to check a history. The check usually takes milliseconds, but may
// take arbitrarily long if many clients do not know whether their operations have run.
const patience = 5 * time.Second

// TestLinearizabilityOverHTTP runs concurrent clients on one sandbox of the whole service,
// which injects faults. It checks that the history is linearizable: the responses fit a
// sequential order of the operations that respects their order in real time. Exports and
// the contents of the store must be consistent states.
func TestLinearizabilityOverHTTP(t *testing.T) {
	t.Parallel()
	const clients, each, rounds = 5, 14, 12
	baseline := must.Get(fixtures.Decode([]byte(`{"categories": [{"id": 1, "name": "Dogs"}]}`)))(t)
	server := must.Get(handlers.New(handlers.Config{Baseline: baseline}))(t)
	listener := httptest.NewServer(server)
	t.Cleanup(func() {
		server.Close()
		listener.Close()
	})
	undecided := 0
	for round := range uint64(rounds) {
		shop := &sandboxClient{url: listener.URL, name: fmt.Sprint("round-", round), server: server}
		if _, _, err := shop.send(t.Context(), "PUT", "/admin/faults", faults); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		histories := make([][]porcupine.Operation, clients)
		for client := range clients {
			all.Go(func() {
				chance := rand.New(rand.NewPCG(round, uint64(client)))
				for range each {
					histories[client] = shop.note(t, histories[client], client, chance)
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
		history := slices.Concat(histories...)
		switch porcupine.CheckOperationsTimeout(shopModel, history, patience) {
		case porcupine.Illegal:
			t.Fatalf("round %d: no order of the operations explains the history\n%s", round, describe(history))
		case porcupine.Unknown:
			undecided++
		}
	}
	if undecided > rounds/2 {
		t.Errorf("%d of %d histories could not be judged within %v each", undecided, rounds, patience)
	}
}

func describe(history []porcupine.Operation) string {
	slices.SortFunc(history, func(a, b porcupine.Operation) int { return int(a.Call - b.Call) })
	var b strings.Builder
	for _, op := range history {
		fmt.Fprintf(&b, "%d: %d..%d %+v: %+v\n", op.ClientId, op.Call, op.Return, op.Input, op.Output)
	}
	return b.String()
}

// sandboxClient makes requests to one sandbox.
type sandboxClient struct {
	url, name string
	server    *handlers.Server
	clock     atomic.Int64 // gives each call and return a unique time
	forks     atomic.Int64
}

// The verbs, the likelier ones several times.
var verbs = strings.Fields(
	"create create create find find update update delete count export keep restore undo fork reset")

// note performs a random operation and appends it to the history, unless it had no
// observable effect.
func (c *sandboxClient) note(t *testing.T, history []porcupine.Operation, client int,
	chance *rand.Rand) []porcupine.Operation {
	in := call{verb: verbs[chance.IntN(len(verbs))]}
	switch in.verb {
	case "create", "count":
		in.status = "aps"[chance.IntN(3):][:1]
	case "find", "delete":
		in.id = 1 + chance.IntN(6)
	case "update":
		in.id, in.status = 1+chance.IntN(6), "aps"[chance.IntN(3):][:1]
	case "keep", "restore":
		in.name = chance.IntN(2)
	}
	ctx := t.Context()
	if chance.IntN(20) == 0 { // a client that disconnects before the response
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(chance.IntN(1000))*time.Microsecond)
		defer cancel()
	}
	begin := c.clock.Add(1)
	out, has := c.perform(t, ctx, in)
	op := porcupine.Operation{ClientId: client, Input: in, Call: begin, Output: out, Return: c.clock.Add(1)}
	reads := in.verb == "find" || in.verb == "count" || in.verb == "export" || in.verb == "fork"
	switch {
	case has == not, out.unknown && reads:
		return history
	case has == perhaps: // run, or run later, or never: all other operations may come before
		op.Return = math.MaxInt64
	}
	return append(history, op)
}

// run reports whether an operation has run.
type run int

const (
	yes run = iota
	not
	perhaps
)

// request returns the request for a call.
func (c *sandboxClient) request(in call) (method, path, body string) {
	statuses := map[string]string{"a": "available", "p": "pending", "s": "sold"}
	pet := fmt.Sprint("/pets/", in.id)
	snapshot := fmt.Sprint("/admin/snapshots/s", in.name)
	switch in.verb {
	case "create":
		return "POST", "/pets", fmt.Sprintf(`{"name": "Rex", "categoryId": 1, "status": %q}`, statuses[in.status])
	case "find":
		return "GET", pet, ""
	case "update":
		return "PATCH", pet, fmt.Sprintf(`{"status": %q}`, statuses[in.status])
	case "delete":
		return "DELETE", pet, ""
	case "count":
		return "GET", "/pets?limit=1&status=" + statuses[in.status], ""
	case "keep":
		return "PUT", snapshot, ""
	case "restore":
		return "POST", snapshot + "/restore", ""
	case "undo":
		return "POST", "/admin/undo", ""
	case "reset":
		return "POST", "/admin/reset?only=data", ""
	case "fork":
		return "POST", "/admin/sandboxes/" + c.name +
			"/fork", fmt.Sprintf(`{"name": "%s-fork-%d"}`, c.name, c.forks.Add(1))
	}
	return "GET", "/admin/state", ""
}

// perform sends the operation and returns the outcome that the client received.
func (c *sandboxClient) perform(t *testing.T, ctx context.Context, in call) (outcome, run) {
	method, path, sent := c.request(in)
	response, body, err := c.send(ctx, method, path, sent)
	if err != nil {
		return outcome{unknown: true}, perhaps
	}
	var pet struct {
		ID     int
		Status any // a number in an error
		Code   string
	}
	if len(body) > 0 && body[0] == '{' && json.Unmarshal(body, &pet) != nil {
		t.Errorf("%+v: %d %s", in, response.StatusCode, body)
	}
	switch pet.Code {
	case "not_run":
		return outcome{}, not
	case "has_run":
		return outcome{unknown: true}, yes
	}
	out := outcome{code: response.StatusCode}
	switch {
	case in.verb == "fork" && out.code == http.StatusCreated:
		fork := &sandboxClient{url: c.url, server: c.server,
			name: response.Header.Get("Location")[len("/admin/sandboxes/"):]}
		copied, has := fork.perform(t, ctx, call{verb: "export"})
		out.data, out.unknown = copied.data, copied.unknown
		return out, has
	case out.code >= http.StatusBadRequest:
	case in.verb == "export":
		out.data = c.checkState(t, body)
	case in.verb == "count":
		out.count, err = strconv.Atoi(response.Header.Get("X-Total-Count"))
		if err != nil {
			t.Error(err)
		}
	case pet.ID != 0:
		out.id, out.status = pet.ID, pet.Status.(string)[:1]
	}
	return out, yes
}

// checkState checks that the exported state and the store's current state are consistent. It
// returns the exported pets in the form of the model.
func (c *sandboxClient) checkState(t *testing.T, exported []byte) string {
	state, err := fixtures.Decode(exported)
	if err != nil {
		t.Errorf("%v in the export %s", err, exported)
		return ""
	}
	sandbox, err := c.server.Sandboxes().Find(c.name)
	if err != nil {
		t.Error(err)
		return ""
	}
	checkIndexes(t, state)
	checkIndexes(t, sandbox.Store.View())
	if again, err := fixtures.Encode(state); err != nil || !bytes.Equal(again, exported) {
		t.Errorf("the export\n%s\nis another when it has been read: %v\n%s", exported, err, again)
	}
	var contents struct {
		Pets []struct {
			ID     int
			Status string
		}
		Next struct{ Pet int }
	}
	if err := json.Unmarshal(exported, &contents); err != nil {
		t.Error(err)
	}
	data := bytes.Repeat([]byte("-"), contents.Next.Pet-1)
	for _, pet := range contents.Pets {
		data[pet.ID-1] = pet.Status[0]
	}
	return string(data)
}

// checkIndexes checks that each index of the pets lists the pets that a scan of all of them finds.
func checkIndexes(t *testing.T, s *store.State) {
	all := s.ListPets(store.PetQuery{}).Items
	compare := func(q store.PetQuery, chosen func(store.Pet) bool) {
		want := slices.DeleteFunc(slices.Clone(all), func(p store.Pet) bool { return !chosen(p) })
		if got := s.ListPets(q).Items; !slices.Equal(got, want) {
			t.Errorf("%+v lists %v, and a scan finds %v", q, got, want)
		}
	}
	for _, status := range []store.PetStatus{store.Available, store.Pending, store.Sold} {
		ofStatus := store.PetQuery{Statuses: []store.PetStatus{status}}
		compare(ofStatus, func(p store.Pet) bool { return p.Status == status })
		for _, category := range s.ListCategories(store.CategoryQuery{}).Items {
			both := store.PetQuery{Statuses: ofStatus.Statuses, CategoryIDs: []int64{category.ID}}
			compare(both, func(p store.Pet) bool { return p.Status == status && p.CategoryID == category.ID })
		}
	}
}

// send makes a request on a new connection, because net/http retries requests that fail
// on a reused connection.
func (c *sandboxClient) send(ctx context.Context, method, path, body string) (*http.Response, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	r.Close = true
	r.Header.Set("X-Sandbox", c.name)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response, text, err
}
