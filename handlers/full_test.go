package handlers_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
)

// TestFull fills a sandbox that may have two records more than its baseline. A request that would
// add another is refused and changes nothing, other requests succeed, and a deletion makes room.
func TestFull(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxRecords = 2 })
	creations := []Request{
		Post("/pets", `{"name": "Bello", "categoryId": 1}`),
		Post("/categories", `{"name": "Fish"}`),
		Post("/store/orders", `{}`),
		Post("/messages", `{"message": "Hello"}`).WithKey("demo-key"),
	}
	w.Must(t, creations[0])
	w.Must(t, creations[1])
	state := w.State(t)
	for _, r := range creations {
		w.Do(t, r).Expect(t, 507, "sandbox_full")
	}
	if w.State(t) != state {
		t.Errorf("the refused request changed the state to\n%s", w.State(t))
	}
	w.Must(t, Put("/pets/7", `{"name": "Bella", "categoryId": 5}`))
	w.Must(t, Put("/store/inventory/7", `{"quantity": 1}`))
	w.Must(t, Delete("/store/orders/1")) // deleting a record of the baseline makes room too
	w.Must(t, creations[3]).ExpectHeader(t, "Location", "/messages/2")
	w.Do(t, creations[2]).Expect(t, 507, "sandbox_full")
	w.Must(t, Post("/admin/reset", ""))
	w.Must(t, creations[2]).ExpectHeader(t, "Location", "/store/orders/6")
}

// TestSandboxMemory fills a sandbox with texts. A request that would exceed its bytes is refused
// and changes nothing, and a deletion succeeds and makes room. Records that only a snapshot keeps
// count too.
func TestSandboxMemory(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = config.MinSandboxMemory })
	long := Post("/messages", `{"message": "`+strings.Repeat("🐈", 4000)+`"}`).WithKey("demo-key")
	fill := func() int { return fillWith(t, w, long) }
	first := fill()
	if first < 500 {
		t.Errorf("only %d messages of 16 KB fit into 16 MiB", first)
	}
	state := w.State(t)
	w.Do(t, long).Expect(t, 507, "sandbox_full")
	messages := make([]string, 1100)
	for i := range messages {
		messages[i] = fmt.Sprintf(`{"id": %d, "createdAt": "2026-01-01T00:00:00Z", %s`, i+1, long.Body[1:])
	}
	large := `{"messages": [` + strings.Join(messages, ",") + `]}`
	w.Do(t, Put("/admin/state", large)).Expect(t, 507, "sandbox_full")
	w.Do(t, Put("/admin/state?baseline=true", large)).Expect(t, 507, "sandbox_full")
	if w.State(t) != state {
		t.Error("the refused request changed the state")
	}
	w.Get(t, "/pets")
	w.Must(t, Delete("/pets/1"))
	w.Must(t, Put("/sandboxes/ada/admin/snapshots/mine", "")) // each sandbox has its own memory
	w.Must(t, Put("/admin/snapshots/mine", ""))
	w.Must(t, Post("/admin/reset", ""))
	if again := fill(); again >= first {
		t.Errorf("%d messages fit beside a snapshot of %d", again, first)
	}
	w.Must(t, Delete("/admin/snapshots/mine"))
	w.Must(t, Post("/admin/reset", ""))
	if again := fill(); again < first*8/10 { // a reset keeps earlier events, so slightly fewer may fit
		t.Errorf("%d messages fit after a reset, and %d before", again, first)
	}
}

// fillWith repeats the request until the sandbox is full, and returns how often it succeeded.
func fillWith(t *testing.T, w *World, r Request) (sent int) {
	t.Helper()
	for ; sent < 2000; sent++ { // not checking each response, which would take longer than the request
		direct := httptest.NewRequest(r.Method, r.Path, strings.NewReader(r.Body))
		maps.Copy(direct.Header, r.Header)
		direct.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		w.Server.ServeHTTP(recorder, direct)
		if recorder.Code == 201 {
			continue
		}
		w.Do(t, r).Expect(t, 507, "sandbox_full")
		return sent
	}
	t.Fatalf("%d requests of %d bytes are in a sandbox that may have 16 MiB", sent, len(r.Body))
	return sent
}

// TestDeletionMakesRoom fills a sandbox to its last bytes, deletes a record, and creates it again.
// The undo history drops the deleted record to make room.
func TestDeletionMakesRoom(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = config.MinSandboxMemory })
	category := Post("/categories", `{"name": "Fish", "description": "`+strings.Repeat("🐟", 500)+`"}`)
	fillWith(t, w, Post("/messages", `{"message": "`+strings.Repeat("🐈", 4000)+`"}`).WithKey("demo-key"))
	if fillWith(t, w, category) == 0 {
		t.Fatal("no category fits beside the messages")
	}
	w.Must(t, Delete("/categories/5"))
	w.Must(t, category)
	w.Do(t, category).Expect(t, 507, "sandbox_full")
}

// TestFullForChanges fills a sandbox to its last bytes. Each write that changes a record of the
// baseline needs more bytes, and is refused with a documented status.
func TestFullForChanges(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.SandboxMemory = config.MinSandboxMemory })
	for _, length := range []int{4000, 200, 1} {
		fillWith(t, w, Post("/messages", `{"message": "`+strings.Repeat("🐈", length)+`"}`).WithKey("demo-key"))
	}
	for _, r := range []Request{
		Put("/pets/1", `{"name": "Bella, who has a longer name now", "categoryId": 1}`),
		Patch("/pets/1", `{"name": "Bella, who has a longer name now"}`),
		Put("/categories/1", `{"name": "Dogs", "description": "which have a description now"}`),
		Patch("/categories/1", `{"description": "which have a description now"}`),
		Put("/store/orders/1", `{"petId": 1, "quantity": 9}`),
		Patch("/store/orders/1", `{"quantity": 9}`),
		Put("/store/inventory/1", `{"quantity": 99}`),
	} {
		w.Do(t, r).Expect(t, 507, "sandbox_full")
	}
}

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
	var everywhere middleware.Outcome
	w.Must(t, Put("/sandboxes/*/admin/snapshots/now", "")).Decode(t, &everywhere)
	if everywhere.Done != 0 || everywhere.Failures != 2 || everywhere.Failed[1].Error.Code != "server_full" {
		t.Errorf("a snapshot of every sandbox = %+v, want server_full in the template and in default", everywhere)
	}
	if w.State(t) != state {
		t.Errorf("the refused request changed the state to\n%s", w.State(t))
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

// TestImportBeyondServerMemory checks that an import too large for the server is refused permanently,
// by its length alone, and that the error says how much memory it needs.
func TestImportBeyondServerMemory(t *testing.T) {
	t.Parallel()
	ballast.RLock()
	defer ballast.RUnlock()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxMemory = 512 << 20 })
	response := w.Raw(t,
		"PUT /admin/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "+
			"62914560\r\n\r\n")
	response.Expect(t, 503, "server_full")
	response.ExpectHeader(t, "Retry-After") // it never fits
	const want = `^the server has no memory left for this request: it may need 360MiB, ` +
		`and can have at most [0-9.]+MiB, ` +
		`which is enough for a body of [0-9.]+MiB; send less, delete records, reset or drop sandboxes, ` +
		`or start the server with --max-memory \d+MiB or more$`
	if problem := response.Problem(t); !regexp.MustCompile(want).MatchString(problem.Message) {
		t.Errorf("%s, want %s", problem.Message, want)
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
	full := w.Do(t, Put("/admin/state", tiny))
	full.Expect(t, 503, "server_full")
	if m := full.Problem(t).Message; !strings.Contains(m, " it may need 762.9MiB, and can have at most ") {
		t.Errorf("the refusal is %q, want 400 bytes for each record", m)
	}
	w.Do(t, Put("/admin/state", `{"orders": [{"id": 1}, {"id": 2}]}`)).Expect(t, 200, "")
}

// TestServerWithTooMuchData checks that a server whose initial data exceeds its memory reports the
// memory that it needs.
func TestServerWithTooMuchData(t *testing.T) {
	t.Parallel()
	state := must.Get(fixtures.Generate(1, fixtures.Sizes{Pets: 200_000, Categories: 1}, nil))(t)
	runtime.GC()
	_, err := handlers.New(handlers.Config{Baseline: state, MaxMemory: config.MinMemory})
	var problems config.Problems
	if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Flag != "max-memory" {
		t.Fatalf("New returns %v, want an error about MaxMemory", err)
	}
	if !strings.HasPrefix(problems[0].Message, "of 48MiB is too little: ") {
		t.Errorf("it says %s", problems[0].Message)
	}
}
