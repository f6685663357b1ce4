package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestSoak sends random requests, as many test suites do together: short-lived sandboxes, writes,
// faults, resets, snapshots, forks, imports, event streams and clocks. No response may have an
// unexpected status. If -for is a second or more, the server at rest may not use more memory,
// goroutines or descriptors at the end than after a tenth of the time:
//
//	go test ./handlers/command -run TestSoak -for 30m -v -timeout 1h
func TestSoak(t *testing.T) {
	t.Parallel()
	p := programtest.StartPetstore(t, "--max-memory", "512MiB", "--sandbox-ttl", "30s", "--max-sandboxes", "200",
		"--log-level", "error")
	if *workFor < time.Second { // short runs only test
		soak(t, p, *workFor)
		return
	}
	soak(t, p, *workFor/10) // uses everything once
	before := atRest(t, p)
	soak(t, p, *workFor)
	after := atRest(t, p)
	for _, figure := range []struct {
		metric      string
		share, plus float64 // how much it may grow
	}{
		{"petstore_memory_used_bytes", 0.25, 4 << 20},
		{"process_resident_memory_bytes", 0.5, 16 << 20},
		{"process_open_fds", 0, 2},
		{"go_goroutines", 0, 2},
	} {
		was, is := before[figure.metric], after[figure.metric]
		t.Logf("%s at rest: %.0f at first, %.0f at the end", figure.metric, was, is)
		if is > was*(1+figure.share)+figure.plus {
			t.Errorf("%s at rest has grown from %.0f to %.0f", figure.metric, was, is)
		}
	}
}

// soak lets sixteen clients send random requests for the given time.
func soak(t *testing.T, p *programtest.Process, lasts time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	var all sync.WaitGroup
	for i := range uint64(16) {
		all.Go(func() {
			transport := new(http.Transport)
			defer transport.CloseIdleConnections()
			random := rand.New(rand.NewPCG(i, 1))
			for ctx.Err() == nil {
				if err := act(ctx, transport, p.URL, random); err != nil && ctx.Err() == nil {
					t.Error(err)
					cancel()
				}
			}
		})
	}
	all.Wait()
}

// action is a request that a client may send.
type action struct {
	weight int    // relative probability
	call   string // method and path, in which %d is a number from 1 to 150
	body   string
}

const somePet = `{"name": "Rex", "categoryId": 1}`

var actions = []action{
	{20, "GET /pets?limit=50&offset=%d", ""},
	{10, "GET /pets?status=available&categoryId=3&sort=-name", ""},
	{20, "GET /pets/%d", ""},
	{20, "POST /pets", somePet},
	{10, "PUT /pets/%d", somePet},
	{10, "PATCH /pets/%d", `{"status": "sold"}`},
	{10, "DELETE /pets/%d", ""},
	{5, "POST /categories", `{"name": "Rare"}`},
	{5, "POST /store/orders", `{"petId": 1}`},
	{5, "GET /store/inventory?maxQuantity=%d", ""},
	{5, "POST /messages", `{"message": "` + strings.Repeat("long ", 500) + `"}`},
	{2, "GET /events", ""},
	{1, "GET /admin/events", ""},
	{2, "GET /nothing/at/all", ""},
	{2, "POST /pets", `{"name": "", "categoryId": 9999}`},

	{3, "POST /admin/faults", `{"probability": 0.2, "times": 20, "status": 503}`},
	{2, "POST /admin/faults", `{"probability": 0.2, "times": 5, "abort": "reset"}`},
	{2, "POST /admin/faults", `{"probability": 0.2, "times": 5, "abort": "truncate"}`},
	{2, "POST /admin/faults", `{"times": 3, "delay": {"fixedMs": 50, "jitterMs": 50}}`},
	{3, "DELETE /admin/faults", ""},
	{5, "POST /admin/reset", ""},
	{1, "POST /admin/reset", `{"seed": %d, "pets": 500}`},
	{3, "PUT /admin/snapshots/at-%d", ""},
	{3, "POST /admin/snapshots/at-%d/restore", ""},
	{3, "POST /admin/undo", ""},
	{1, "PUT /admin/state",
		`{"categories": [{"id": 1, "name": "One"}], "pets": [{"id": 7, "name": "Rex", "categoryId": 1}]}`},
	{1, "GET /admin/state", ""},
	{1, "GET /admin/state/diff", ""},
	{2, "PUT /admin/clock", `{"advance": "24h"}`},
	{2, "PUT /admin/operations/createPet", `{"deprecated": true, "brownout": 0.1}`},
	{3, "GET /admin/requests?limit=50", ""},
	{1, "GET /admin/report", ""},
	{2, "POST /admin/sandboxes/SANDBOX/fork", `{"name": "fork-%d"}`},
	{3, "DELETE /admin/sandboxes/fork-%d", ""},
	{1, "DELETE /admin/sandboxes/SANDBOX", ""},
}

// act sends a random request to one of fifty sandboxes, and returns an error if the response is wrong.
func act(ctx context.Context, transport *http.Transport, url string, random *rand.Rand) error {
	sum := 0
	for _, a := range actions {
		sum += a.weight
	}
	at := random.IntN(sum)
	a := actions[slices.IndexFunc(actions, func(a action) bool { at -= a.weight; return at < 0 })]
	sandbox := fmt.Sprintf("suite-%d", random.IntN(50))
	fill := strings.NewReplacer("%d", fmt.Sprint(1+random.IntN(150)), "SANDBOX", sandbox)
	method, path, _ := strings.Cut(fill.Replace(a.call), " ")
	stream := strings.HasSuffix(path, "/events")
	if stream {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(500))*time.Millisecond)
		defer cancel()
	}
	headers := []string{"X-Sandbox", sandbox, "Authorization", "Bearer demo-key"}
	if a.body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	answer, err := programtest.Do(ctx, transport, method, url+path, strings.NewReader(fill.Replace(a.body)), headers...)
	switch {
	case stream, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return nil // ended by this client, or by a fault
	case err == nil && answer.Status >= 500 && answer.Status != http.StatusServiceUnavailable:
		err = fmt.Errorf("%d: %s", answer.Status, answer.Body)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", a.call, err)
	}
	return nil
}

var sample = regexp.MustCompile(`(?m)^(\w+) (\S+)$`)

// atRest drops all sandboxes and returns the metrics without labels once they no longer fall.
func atRest(t *testing.T, p *programtest.Process) map[string]float64 {
	t.Helper()
	for _, sandbox := range programtest.GetJSON[[]struct{ Name string }](t, p.URL+"/admin/sandboxes?limit=1000") {
		programtest.Send(t, http.MethodDelete, p.URL+"/admin/sandboxes/"+sandbox.Name, nil)
	}
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	get := func(path string) string {
		return must.Get(programtest.Do(t.Context(), transport, http.MethodGet, p.URL+path, nil))(t).Body
	}
	var last map[string]float64
	for quiet := 0; quiet < 5; quiet++ {
		for range 2000 { // makes garbage, because the memory in use is what the last collection measured
			get("/pets?limit=100")
		}
		next := make(map[string]float64)
		for _, match := range sample.FindAllStringSubmatch(get("/metrics"), -1) {
			next[match[1]] = must.Get(strconv.ParseFloat(match[2], 64))(t)
		}
		if used := "petstore_memory_used_bytes"; next[used] < last[used]*0.98 ||
			next["process_open_fds"] < last["process_open_fds"] {
			quiet = 0
		}
		last = next
	}
	return last
}
