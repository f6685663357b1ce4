package handlers_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// ballast is locked for writing by a test that fills memory, and for reading by tests of servers
// whose memory limit this would exceed.
var ballast sync.RWMutex

// TestServerFull allocates more memory than the server may use. Requests that need lasting memory
// are refused and change nothing; requests that read or free memory succeed.
func TestServerFull(t *testing.T) {
	t.Parallel()
	const most = 8 << 30
	w := NewWorld(t, func(c *handlers.Config) { c.MaxMemory = most })
	ballast.Lock()
	defer ballast.Unlock()
	release := Ballast(most * 66 / 100) // leaves only the memory reserved for responses
	defer release()
	state := w.State(t)
	for _, r := range []Request{
		Post("/pets", `{"name": "Bello", "categoryId": 1}`),
		Put("/pets/1", `{"name": "Bello", "categoryId": 1}`),
		Patch("/pets/1", `{"name": "Bello"}`),
		Post("/messages", `{"message": "Hello"}`).WithKey("demo-key"),
		Put("/admin/state", `{}`),
		Put("/admin/snapshots/now", ""),
		Post("/admin/faults", `{"status": 503}`),
		Put("/admin/sandboxes/ada", ""),
		Post("/admin/sandboxes/default/fork", `{"name": "ada"}`),
		Get("/sandboxes/ada/pets"),
		Post("/admin/reset", `{"seed": 7}`),
		Put("/admin/sandboxes/default", `{"seed": 7}`),
	} {
		answer := w.Do(t, r)
		answer.Expect(t, 503, "server_full")
		answer.ExpectHeader(t, "Retry-After") // waiting for other requests would not help
	}
	if w.State(t) != state {
		t.Errorf("what was refused changed the state to\n%s", w.State(t))
	}
	for _, r := range []Request{
		Get("/pets"),
		Delete("/pets/1"),
		Get("/admin"),
		Get("/admin/state"),
		Post("/admin/undo", `{"steps": 1}`),
		Post("/admin/reset", ""),
		Delete("/admin/requests"),
		Delete("/admin/faults"),
		Delete("/admin/clock"),
	} {
		w.Must(t, r)
	}
	defer Ballast(most * 6 / 100)() // takes the memory reserved for responses
	w.Do(t, Get("/events")).Expect(t, 503, "server_full")
	if metrics := w.Must(t, Get("/metrics")).Body; len(metrics) < rest.PieceBytes {
		t.Errorf("the metrics have %d bytes, which need no reservation", len(metrics))
	}
}

// TestImportThatNeverFits checks that an import too large for the server is refused permanently,
// by its length alone, and that the error says how much memory it needs.
func TestImportThatNeverFits(t *testing.T) {
	t.Parallel()
	ballast.RLock()
	defer ballast.RUnlock()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxMemory = 512 << 20 })
	connection := w.Dial(t)
	Send(t, connection, "PUT /admin/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 62914560\r\n\r\n")
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	var told rest.Error
	if err := json.NewDecoder(response.Body).Decode(&told); err != nil {
		t.Fatal(err)
	}
	const want = `^the server has no memory left for this request: it may need 360MiB, and can have at most [0-9.]+MiB, ` +
		`which is enough for a body of [0-9.]+MiB; send less, delete records, reset or drop sandboxes, or start the server with --max-memory \d+MiB or more$`
	if response.StatusCode != 503 || told.Code != "server_full" || !regexp.MustCompile(want).MatchString(told.Message) {
		t.Errorf("%d %s: %s, want 503 server_full: %s", response.StatusCode, told.Code, told.Message, want)
	}
	if after := response.Header.Get("Retry-After"); after != "" {
		t.Errorf("Retry-After is %s for what never fits", after)
	}
}

// TestImportOfTinyRecords checks that an import is refused for the memory of its records if the
// text is much shorter.
func TestImportOfTinyRecords(t *testing.T) {
	t.Parallel()
	ballast.RLock()
	defer ballast.RUnlock()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxMemory = 1 << 30 })
	tiny := `{"orders": [{}` + strings.Repeat(",{}", 2_000_000) + "]}"
	w.Do(t, Put("/admin/state", tiny)).Expect(t, 503, "server_full")
	w.Do(t, Put("/admin/state", `{"orders": [{"id": 1}, {"id": 2}]}`)).Expect(t, 200, "")
}

// TestServerWithTooMuchData checks that a server whose initial data exceeds its memory reports the
// memory that it needs.
func TestServerWithTooMuchData(t *testing.T) {
	t.Parallel()
	state, err := fixtures.Generate(1, fixtures.Sizes{Pets: 200_000, Categories: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	_, err = handlers.New(handlers.Config{Baseline: state, MaxMemory: config.MinMemory})
	var problems config.Problems
	if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Flag != "max-memory" {
		t.Fatalf("New returns %v, want what is wrong with MaxMemory", err)
	}
	if !strings.HasPrefix(problems.ByFlag(), "--max-memory of 48MiB is too little: ") {
		t.Errorf("it says %s", problems.ByFlag())
	}
}
