package handlers_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// badConfigs are configurations that New must reject, each with the invalid fields and their
// flags, in order.
var badConfigs = map[string]struct {
	change func(*handlers.Config)
	fields []string
	flags  []string
}{
	"hardly any for a sandbox": {func(c *handlers.Config) { c.SandboxMemory = 1 << 19 }, []string{"SandboxMemory"},
		[]string{"sandbox-memory"}},
	"hardly any memory": {func(c *handlers.Config) { c.MaxMemory = 1 << 20 }, []string{"MaxMemory"},
		[]string{"max-memory"}},
	"less memory than none": {func(c *handlers.Config) { c.MaxMemory = -1 }, []string{"MaxMemory"},
		[]string{"max-memory"}},
	"fewer records than none": {func(c *handlers.Config) { c.MaxRecords = -1 }, []string{"MaxRecords"},
		[]string{"max-records"}},
	"fewer who wait than none": {func(c *handlers.Config) { c.MaxStanding = -1 }, []string{"MaxStanding"},
		[]string{"max-connections"}},
	"no sandbox for an attendee": {func(c *handlers.Config) { c.MaxSandboxes, c.Workshop = 1, true },
		[]string{"MaxSandboxes"}, []string{"max-sandboxes"}},
	"fewer sandboxes than none": {func(c *handlers.Config) { c.MaxSandboxes = -1 }, []string{"MaxSandboxes"},
		[]string{"max-sandboxes"}},
	"a negative time": {func(c *handlers.Config) { c.SandboxTTL = -1 }, []string{"SandboxTTL"},
		[]string{"sandbox-ttl"}},
	"no address": {func(c *handlers.Config) { c.PublicURL, c.AdminKey = "shop.example", "k" }, []string{"PublicURL"},
		[]string{"public-url"}},
	"an address in another script": {func(c *handlers.Config) {
		c.PublicURL, c.AdminKey = "https://b\u00fccher.example", "k"
	},
		[]string{"PublicURL"}, []string{"public-url"}},
	"an address that looks like a path of the server": {func(c *handlers.Config) {
		c.PublicURL, c.AdminKey = "https://shop.example/pets/v2", "k"
	},
		[]string{"PublicURL"}, []string{"public-url"}},
	"an address that looks like a sandbox": {func(c *handlers.Config) {
		c.PublicURL, c.AdminKey = "https://shop.example/sandboxes", "k"
	},
		[]string{"PublicURL"}, []string{"public-url"}},
	"a proxy without a key": {func(c *handlers.Config) { c.PublicURL = "https://shop.example/petstore" },
		[]string{"AdminKey"}, []string{"admin-key"}},
	"no certificate": {func(c *handlers.Config) { c.CA = []byte("not PEM") }, []string{"CA"}, []string{"tls"}},
	"a key for everybody": {func(c *handlers.Config) {
		c.CA = []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
	},
		[]string{"CA"}, []string{"tls"}},
	"a replica with a space": {func(c *handlers.Config) { c.Replica = "eu 2" }, []string{"Replica"},
		[]string{"replica"}},
	"a replica without end": {func(c *handlers.Config) { c.Replica = strings.Repeat("x", 101) },
		[]string{"Replica"}, []string{"replica"}},
	"a shard without a name": {func(c *handlers.Config) { c.Sharded = true }, []string{"Replica"},
		[]string{"replica"}},
	"a shard in upper case": {func(c *handlers.Config) { c.Replica, c.Sharded = "Two", true }, []string{"Replica"},
		[]string{"replica"}},
	"a shard with a dot": {func(c *handlers.Config) { c.Replica, c.Sharded = "eu.two", true },
		[]string{"Replica"}, []string{"replica"}},
	"a shard without end": {func(c *handlers.Config) { c.Replica, c.Sharded = strings.Repeat("x", 32), true },
		[]string{"Replica"}, []string{"replica"}},
	"a negative journal": {func(c *handlers.Config) { c.Journal = new(-1) }, []string{"Journal"},
		[]string{"journal"}},
	"an empty host": {func(c *handlers.Config) { c.AllowedHosts = []string{"shop.example", ""} },
		[]string{"AllowedHosts"}, []string{"allowed-host"}},
	"a host with a port": {func(c *handlers.Config) { c.AllowedHosts = []string{"shop.example:80"} },
		[]string{"AllowedHosts"}, []string{"allowed-host"}},
	"a host that is an origin": {func(c *handlers.Config) { c.AllowedHosts = []string{"http://shop.example"} },
		[]string{"AllowedHosts"}, []string{"allowed-host"}},
	"a webhook host with a port": {func(c *handlers.Config) { c.WebhookHosts = []string{"shop.example:80"} },
		[]string{"WebhookHosts"}, []string{"webhook-host"}},
	"any host": {func(c *handlers.Config) { c.AllowedHosts = []string{"*"} },
		[]string{"AllowedHosts"}, []string{"allowed-host"}},
	"an empty API key": {func(c *handlers.Config) { c.APIKeys = []string{"k1", ""} }, []string{"APIKeys"},
		[]string{"api-key"}},
	"an API key with a space": {func(c *handlers.Config) { c.APIKeys = []string{"two words"} }, []string{"APIKeys"},
		[]string{"api-key"}},
	"blanks for certificates": {func(c *handlers.Config) { c.CA = []byte("\n") }, []string{"CA"}, []string{"tls"}},
	"an admin key not in ASCII": {func(c *handlers.Config) { c.AdminKey = "schlüssel" }, []string{"AdminKey"},
		[]string{"admin-key"}},
	"an origin with a path": {func(c *handlers.Config) { c.CORSOrigins = []string{"http://app.example/"} },
		[]string{"CORSOrigins"}, []string{"cors-origin"}},
	"an origin without a scheme": {func(c *handlers.Config) { c.AdminOrigins = []string{"app.example"} },
		[]string{"AdminOrigins"}, []string{"admin-origin"}},
	"any origin of admin": {func(c *handlers.Config) { c.AdminOrigins = []string{"*"} }, []string{"AdminOrigins"},
		[]string{"admin-origin"}},
	"a sunset too early": {func(c *handlers.Config) { c.DeprecatedSince, c.Sunset = Now, Now.Add(-time.Second) },
		[]string{"Sunset"}, []string{"sunset"}},
	"a sunset before the default deprecation": {func(c *handlers.Config) {
		c.Sunset = config.DefaultDeprecatedSince().AddDate(0, 0, -1)
	},
		[]string{"Sunset"}, []string{"sunset"}},
	"a deprecation after the default sunset": {func(c *handlers.Config) {
		c.DeprecatedSince = config.DefaultSunset().AddDate(0, 0, 1)
	},
		[]string{"Sunset"}, []string{"sunset"}},
	"a year of five digits": {func(c *handlers.Config) { c.Sunset = Now.AddDate(9000, 0, 0) }, []string{"Sunset"},
		[]string{"sunset"}},
	"latency backwards": {func(c *handlers.Config) { c.Latency = handlers.Latency{Min: time.Second, Max: 0} },
		[]string{"Latency"}, []string{"latency"}},
	"no error rate": {func(c *handlers.Config) { c.ErrorRate = math.NaN() }, []string{"ErrorRate"},
		[]string{"error-rate"}},
	"no rate limit": {func(c *handlers.Config) { c.RateLimit = math.Inf(1) }, []string{"RateLimit"},
		[]string{"rate-limit"}},
	"sizes": {func(c *handlers.Config) { c.Baseline, c.Sizes = nil, &fixtures.Sizes{Pets: -1, Orders: 3} },
		[]string{"Sizes.Pets"}, []string{"pets"}},
	"sizes without end": {func(c *handlers.Config) {
		c.Baseline, c.Sizes = nil, &fixtures.Sizes{Pets: 1, Categories: math.MaxInt}
	},
		[]string{"Sizes.Categories"}, []string{"categories"}},
	"most of it": {func(c *handlers.Config) {
		*c = handlers.Config{
			World: []byte("{}"), Seed: new(uint64(1)), APIKeys: []string{""}, AdminKey: " ", AdminOrigins: []string{""},
			AllowedHosts: []string{""},
			CORSOrigins:  []string{""}, WebhookHosts: []string{""}, EnforceSunset: true,
			Latency: handlers.Latency{Min: -1}, ErrorRate: 2, RateLimit: -1,
			MaxRecords: -1, SandboxMemory: 1, MaxMemory: 1, MaxStanding: -1, MaxSandboxes: -1, SandboxTTL: -1,
			Journal: new(-1), PublicURL: "/", CA: []byte("CA"), Replica: " ",
		}
	}, []string{"Seed", "APIKeys", "AdminKey", "AdminOrigins", "AllowedHosts", "CORSOrigins", "WebhookHosts",
		"EnforceSunset", "Latency", "Latency", "ErrorRate", "ErrorRate", "RateLimit",
		"MaxRecords", "SandboxMemory", "MaxMemory", "MaxStanding", "MaxSandboxes", "SandboxTTL", "Journal", "PublicURL",
		"CA", "Replica"},
		[]string{"seed", "api-key", "admin-key", "admin-origin", "allowed-host", "cors-origin", "webhook-host",
			"enforce-sunset", "latency", "latency", "error-rate", "error-rate", "rate-limit",
			"max-records", "sandbox-memory", "max-memory", "max-connections", "max-sandboxes", "sandbox-ttl", "journal",
			"public-url", "tls", "replica"}},
	"a proxy and no key": {func(c *handlers.Config) {
		c.PublicURL, c.AdminOrigins = "https://shop.example/petstore", []string{"x"}
	},
		[]string{"AdminKey", "AdminOrigins"}, []string{"admin-key", "admin-origin"}},
	"sizes of another baseline": {func(c *handlers.Config) { c.Sizes = &fixtures.Sizes{Pets: 3, Categories: 1} },
		[]string{"Sizes"}, []string{"pets"}},
	"fake data of another seed": {func(c *handlers.Config) {
		c.Baseline, c.Sizes = fakes(7, fixtures.Sizes{Pets: 3, Categories: 1}), &fixtures.Sizes{Pets: 3, Categories: 1}
	}, []string{"Sizes"}, []string{"pets"}},
	"all at once": {func(c *handlers.Config) { c.MaxRecords, c.Journal, c.APIKeys = -1, new(-2), []string{""} },
		[]string{"APIKeys", "MaxRecords", "Journal"}, []string{"api-key", "max-records", "journal"}},
}

// fakes makes fake data.
func fakes(seed uint64, sizes fixtures.Sizes) *store.State {
	state, err := fixtures.Generate(seed, sizes, nil)
	if err != nil {
		panic(err)
	}
	return state
}

func TestConfigRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range badConfigs {
		c := Config(test.change)
		_, err := handlers.New(c)
		var problems config.Problems
		if !errors.As(err, &problems) {
			t.Errorf("%s: New returns %v", name, err)
			continue
		}
		var fields, flags []string
		for _, p := range problems {
			fields, flags = append(fields, p.Field), append(flags, p.Flag)
		}
		if diff := cmp.Diff(test.fields, fields); diff != "" {
			t.Errorf("%s: fields, -want +got:\n%s", name, diff)
		}
		if diff := cmp.Diff(test.flags, flags); diff != "" {
			t.Errorf("%s: flags, -want +got:\n%s", name, diff)
		}
		if again := c.Check(); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: Check says %v, New %v", name, again, err)
		}
	}
	for name, good := range map[string]handlers.Config{
		"zero":                        {},
		"a sunset at the deprecation": {DeprecatedSince: Now, Sunset: Now},
		"hosts": {AllowedHosts: []string{"shop.example", "shop", "192.0.2.7", "::1",
			"a_b.example"}},
		"any origin": {CORSOrigins: []string{"*"}},
		"no journal": {Journal: new(0)},
		"sizes of the baseline": {Baseline: fakes(1, fixtures.Sizes{Pets: 3, Categories: 1}),
			Sizes: &fixtures.Sizes{Pets: 3, Categories: 1}},
		"seed of the baseline": {Baseline: fakes(7, fixtures.Sizes{}), Seed: new(uint64(7)),
			Sizes: new(fixtures.Sizes)},
	} {
		if _, err := handlers.New(good); err != nil {
			t.Errorf("New refuses %s: %v", name, err)
		}
	}
}

// TestConfigWithEmptyCA checks that a server with an empty CA serves no certificate.
func TestConfigWithEmptyCA(t *testing.T) {
	t.Parallel()
	server, err := handlers.New(handlers.Config{CA: []byte{}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	w := httptest.NewRecorder()
	server.ServeHTTP(w,
		httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/admin/ca.pem", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("GET /admin/ca.pem = %d %q, want 404", w.Code, w.Body)
	}
}

// TestConfigNowBeyondDateRange checks responses with times when the machine's clock is beyond
// the years that dates can represent.
func TestConfigNowBeyondDateRange(t *testing.T) {
	t.Parallel()
	for year, want := range map[int]string{0: "0001-01-01T00:00:00Z", -4000: "0001-01-01T00:00:00Z",
		12000: "9999-12-31T23:59:59.999999999Z"} {
		server, err := handlers.New(handlers.Config{Now: func() time.Time {
			return time.Date(year, time.May, 1, 0, 0, 0, 0, time.UTC)
		}})
		if err != nil {
			t.Fatal(err)
		}
		for path, status := range map[string]int{"/admin/clock": 200, "/admin": 200, "/admin/sandboxes": 200,
			"/pets/1": 200} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+path, nil)
			r.RemoteAddr = "127.0.0.1:4000"
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			var clock struct{ Now string }
			if err := json.Unmarshal(w.Body.Bytes(), &clock); path == "/admin/clock" &&
				(err != nil || clock.Now != want) {
				t.Errorf("year %d: the clock shows %q (%v), want %s", year, clock.Now, err, want)
			}
			if w.Code != status {
				t.Errorf("year %d: GET %s = %d %s", year, path, w.Code, w.Body)
			}
		}
		server.Close()
	}
}

// TestOwnSegments compares the first segments that a public URL must not have with the route
// table.
func TestOwnSegments(t *testing.T) {
	t.Parallel()
	server := NewServer(t)
	want := map[string]bool{"sandboxes": true}
	for _, op := range server.Table() {
		if first, _, _ := strings.Cut(op.Path[1:], "/"); first != "" {
			want[first] = true
		}
	}
	if got := config.OwnSegments(); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
		t.Errorf("config has %q, the routes %q", got, slices.Sorted(maps.Keys(want)))
	}
}

// TestLatencyFlag checks that the failures of --error-rate are delayed too.
func TestLatencyFlag(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0, 1} {
		w := NewWorld(t, func(c *handlers.Config) {
			c.Latency, c.ErrorRate = handlers.Latency{Min: 20 * time.Millisecond, Max: 25 * time.Millisecond}, share
		})
		start := time.Now()
		a := w.Get(t, "/pets")
		if waited := time.Since(start); waited < 20*time.Millisecond {
			t.Errorf("it took %v", waited)
		}
		if failed := a.Status == 503; failed != (share == 1) {
			t.Errorf("an error rate of %v answers %d", share, a.Status)
		}
	}
}
