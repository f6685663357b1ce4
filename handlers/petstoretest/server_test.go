package petstoretest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/petstoretest"
)

// TestMain fails when a goroutine outlives the servers of all tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pet is as much of a pet as the tests look at.
type pet struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

// get decodes the answer to GET of the path into a value of type T.
func get[T any](t testing.TB, srv *petstoretest.Server, path string) T {
	t.Helper()
	response, err := srv.Client.Get(srv.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	return read[T](t, response, http.StatusOK)
}

func create(t testing.TB, srv *petstoretest.Server, name string) pet {
	t.Helper()
	response, err := srv.Client.Post(srv.URL+"/pets", "application/json", strings.NewReader(fmt.Sprintf(`{"name":%q,"categoryId":1}`, name)))
	if err != nil {
		t.Fatal(err)
	}
	return read[pet](t, response, http.StatusCreated)
}

func read[T any](t testing.TB, response *http.Response, status int) (value T) {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != status {
		t.Fatalf("%s %s: %s, want %d: %s", response.Request.Method, response.Request.URL.Path, response.Status, status, body)
	}
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return value
}

func TestRunServesWhatTheProgramServes(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	summary := get[struct {
		Seed   uint64
		Counts map[string]int
	}](t, srv, "/admin")
	if summary.Seed != 1 || summary.Counts["pets"] != 100 || summary.Counts["categories"] != 8 || summary.Counts["orders"] != 50 {
		t.Errorf("GET /admin = %+v, want seed 1, 100 pets, 8 categories, 50 orders", summary)
	}
}

func TestResetBringsDataAndIDsBack(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	before := get[[]pet](t, srv, "/pets?limit=1000")
	first := create(t, srv, "Rex")
	srv.Reset()
	if after := get[[]pet](t, srv, "/pets?limit=1000"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("after Reset there are %d pets: %v, want the first %d", len(after), after, len(before))
	}
	if second := create(t, srv, "Rex"); second.ID != first.ID {
		t.Errorf("the first pet after Reset has id %d, want %d as before", second.ID, first.ID)
	}
}

func TestServersShareNothing(t *testing.T) {
	t.Parallel()
	one, two := petstoretest.Run(t), petstoretest.Run(t)
	if one.URL == two.URL || !strings.HasPrefix(one.URL, "http://127.0.0.1:") {
		t.Errorf("servers at %s and %s, want two addresses of 127.0.0.1", one.URL, two.URL)
	}
	create(t, one, "Rex")
	if pets := get[[]pet](t, two, "/pets?limit=1000"); len(pets) != 100 {
		t.Errorf("a pet made on one server: %d pets on the other, want 100", len(pets))
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, []byte("categories: [{id: 5, name: Dogs}]\npets: [{id: 9, name: Rex, categoryId: 5, status: sold}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	baseline, err := fixtures.Generate(3, petstoretest.Sizes{Pets: 4, Categories: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	byDefault := get[[]pet](t, petstoretest.Run(t), "/pets?limit=3")
	for name, test := range map[string]struct {
		opts []petstoretest.Option
		want func([]pet) bool
	}{
		"seed 1 is the default": {
			[]petstoretest.Option{petstoretest.WithSeed(1)},
			func(pets []pet) bool { return len(pets) == 100 && fmt.Sprint(pets[:3]) == fmt.Sprint(byDefault) },
		},
		"another seed": {
			[]petstoretest.Option{petstoretest.WithSeed(2)},
			func(pets []pet) bool { return len(pets) == 100 && fmt.Sprint(pets[:3]) != fmt.Sprint(byDefault) },
		},
		"sizes": {
			[]petstoretest.Option{petstoretest.WithSizes(petstoretest.Sizes{Pets: 3, Categories: 8})},
			func(pets []pet) bool { return fmt.Sprint(pets) == fmt.Sprint(byDefault) },
		},
		"empty": {
			[]petstoretest.Option{petstoretest.WithSizes(petstoretest.Sizes{})},
			func(pets []pet) bool { return pets != nil && len(pets) == 0 },
		},
		"fixtures": {
			[]petstoretest.Option{petstoretest.WithFixtures(file)},
			func(pets []pet) bool { return len(pets) == 1 && pets[0] == pet{9, "Rex", "sold"} },
		},
		"baseline": {
			[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) { c.Baseline = baseline })},
			func(pets []pet) bool { return len(pets) == 4 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := petstoretest.Run(t, test.opts...)
			if pets := get[[]pet](t, srv, "/pets?limit=1000"); !test.want(pets) {
				t.Errorf("%d pets that are not as asked for: %v", len(pets), pets)
			}
		})
	}
}

// TestOptionsAreTheBaseline wants the seed and the sizes of options told by the server,
// which makes other fakes of them where a reset asks for a part.
func TestOptionsAreTheBaseline(t *testing.T) {
	t.Parallel()
	sizes := petstoretest.Sizes{Pets: 4, Categories: 2}
	for name, opts := range map[string][]petstoretest.Option{
		"options": {petstoretest.WithSeed(3), petstoretest.WithSizes(sizes)},
		"seed of the configuration": {petstoretest.WithSizes(sizes),
			petstoretest.WithConfig(func(c *petstoretest.Config) { c.Seed = new(uint64(3)) })},
		"sizes of the configuration": {petstoretest.WithSeed(3),
			petstoretest.WithConfig(func(c *petstoretest.Config) { c.Sizes = &sizes })},
	} {
		baseline := petstoretest.Run(t, opts...).Baseline()
		if baseline.Seed != 3 || baseline.Sizes == nil || *baseline.Sizes != sizes || baseline.State.Counts().Pets != 4 {
			t.Errorf("%s: %d pets of seed %d in sizes %v", name, baseline.State.Counts().Pets, baseline.Seed, baseline.Sizes)
		}
	}
}

func TestConfigReachesTheServer(t *testing.T) {
	t.Parallel()
	now := time.Date(2031, time.May, 1, 0, 0, 0, 0, time.UTC)
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) {
		c.APIKeys = []string{"secret"}
		c.EnforceSunset = true
		c.Now = func() time.Time { return now }
	}))
	for authorization, status := range map[string]int{"": http.StatusUnauthorized, "Bearer secret": http.StatusGone} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/pets/1", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", authorization)
		response, err := srv.Client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		read[any](t, response, status)
	}
}

func TestBadOptionsEndTheTest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(file, []byte(`{"pets": [{"id": 1, "name": "", "categoryId": 7}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	baseline, err := fixtures.Generate(1, petstoretest.Sizes{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		opts []petstoretest.Option
		want []string // parts of the message
	}{
		"bad file":     {[]petstoretest.Option{petstoretest.WithFixtures(file)}, []string{"WithFixtures: ", file, "pets[0].name", "pets[0].categoryId"}},
		"no path":      {[]petstoretest.Option{petstoretest.WithFixtures("")}, []string{"WithFixtures needs the path of a file"}},
		"endless":      {[]petstoretest.Option{petstoretest.WithSizes(petstoretest.Sizes{Pets: math.MaxInt, Categories: 1})}, []string{"WithSizes: pets: cannot be"}},
		"no such file": {[]petstoretest.Option{petstoretest.WithFixtures("none.json")}, []string{"WithFixtures: ", "none.json"}},
		"sizes":        {[]petstoretest.Option{petstoretest.WithSizes(petstoretest.Sizes{Pets: 1})}, []string{"WithSizes: categories: cannot be 0"}},
		"two sources":  {[]petstoretest.Option{petstoretest.WithSeed(1), petstoretest.WithFixtures(file)}, []string{"choose one"}},
		"own baseline": {
			[]petstoretest.Option{petstoretest.WithSeed(1), petstoretest.WithConfig(func(c *petstoretest.Config) { c.Baseline = baseline })},
			[]string{"choose one"},
		},
		"config": {[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) { c.CORSOrigins = []string{"x"} })}, []string{"Config.CORSOrigins must be an origin"}},
		"bounds": {[]petstoretest.Option{petstoretest.WithConfig(func(c *petstoretest.Config) { c.MaxRecords, c.Journal = -1, new(-1) })},
			[]string{"Config.MaxRecords must be at least 1", "Config.Journal cannot be negative"}},
		"no config": {[]petstoretest.Option{petstoretest.WithConfig(nil)}, []string{"WithConfig needs a function", "not nil"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustEnd(t, func(fake *exampleT) { petstoretest.Run(fake, test.opts...) }, test.want...)
			if srv, err := petstoretest.Start(test.opts...); srv != nil || err == nil {
				t.Errorf("Start = %v, %v, want an error", srv, err)
			}
		})
	}
}

func TestCleanupBreaksOffWhatStillRuns(t *testing.T) {
	t.Parallel()
	var srv *petstoretest.Server
	var conn net.Conn
	t.Run("inner", func(t *testing.T) {
		srv = petstoretest.Run(t)
		var err error
		if conn, err = net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://")); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "GET /pets HTTP/1.1\r\nHost: localhost\r\nPrefer: delay=60000\r\n\r\n")
		get[any](t, srv, "/admin") // a later connection is answered, so the first is accepted
	})
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if errors.Is(err, os.ErrDeadlineExceeded) || len(answer) > 0 {
		t.Errorf("the request in flight got %q, %v, want a broken connection", answer, err)
	}
	if response, err := srv.Client.Get(srv.URL + "/pets"); err == nil {
		response.Body.Close()
		t.Errorf("the server answers %s after its test", response.Status)
	}
}

func TestWarningsGoToTheTest(t *testing.T) {
	t.Parallel()
	fake := newExampleT()
	srv := petstoretest.Run(fake)
	get[pet](t, srv, "/pets/7")
	fake.end()
	if log := fake.output.String(); !strings.Contains(log, "getPet is deprecated") || strings.Contains(log, "time=") {
		t.Errorf("the test's output is %q, want the deprecation without a time", log)
	}
}

func BenchmarkRun(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		t := newExampleT()
		b.StartTimer()
		petstoretest.Run(t)
		b.StopTimer()
		t.end()
		b.StartTimer()
	}
}
