package handlers_test

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/store"
)

// badConfigs are configurations that New must reject, each with the invalid fields in alphabetical order.
var badConfigs = []struct {
	change func(*handlers.Config)
	fields string
}{
	{func(c *handlers.Config) { c.SandboxMemory = 1 << 19 }, "SandboxMemory"},
	{func(c *handlers.Config) { c.MaxMemory = 1 << 20 }, "MaxMemory"},
	{func(c *handlers.Config) { c.MaxMemory = -1 }, "MaxMemory"},
	{func(c *handlers.Config) { c.MaxSandboxes, c.Workshop = 1, true }, "MaxSandboxes"},   // none for an attendee
	{func(c *handlers.Config) { c.APIKeys, c.Workshop = []string{"k"}, true }, "APIKeys"}, // attendees have none
	{proxied("shop.example"), "PublicURL"},
	{proxied("https://b\u00fccher.example"), "PublicURL"},
	{proxied("https://shop.example/pets/v2"), "PublicURL"}, // looks like a path of the server
	{proxied("https://shop.example/sandboxes"), "PublicURL"},
	{func(c *handlers.Config) { c.PublicURL = "https://shop.example/petstore" }, "AdminKey"},
	{func(c *handlers.Config) { c.CA = []byte("not PEM") }, "CA"},
	{func(c *handlers.Config) { c.CA = []byte("\n") }, "CA"},
	{func(c *handlers.Config) {
		c.CA = []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
	}, "CA"},
	{func(c *handlers.Config) { c.Replica = "eu 2" }, "Replica"},
	{func(c *handlers.Config) { c.Replica = strings.Repeat("x", 101) }, "Replica"},
	{shard(""), "Replica"},
	{shard("Two"), "Replica"},
	{shard("eu.two"), "Replica"},
	{shard(strings.Repeat("x", 32)), "Replica"},
	{func(c *handlers.Config) { c.AllowedHosts = []string{"shop.example", ""} }, "AllowedHosts"},
	{func(c *handlers.Config) { c.AllowedHosts = []string{"shop.example:80"} }, "AllowedHosts"},
	{func(c *handlers.Config) { c.AllowedHosts = []string{"http://shop.example"} }, "AllowedHosts"},
	{func(c *handlers.Config) { c.AllowedHosts = []string{"*"} }, "AllowedHosts"},
	{func(c *handlers.Config) { c.WebhookHosts = []string{"shop.example:80"} }, "WebhookHosts"},
	{func(c *handlers.Config) { c.APIKeys = []string{"two words"} }, "APIKeys"},
	{func(c *handlers.Config) { c.AdminKey = "schlüssel" }, "AdminKey"},
	{func(c *handlers.Config) { c.CORSOrigins = []string{"http://app.example/"} }, "CORSOrigins"},
	{func(c *handlers.Config) { c.AdminOrigins = []string{"app.example"} }, "AdminOrigins"},
	{func(c *handlers.Config) { c.AdminOrigins = []string{"*"} }, "AdminOrigins"},
	{func(c *handlers.Config) { c.DeprecatedSince, c.Sunset = Now, Now.Add(-time.Second) }, "Sunset"},
	{func(c *handlers.Config) { c.Sunset = config.DefaultDeprecatedSince().AddDate(0, 0, -1) }, "Sunset"},
	{func(c *handlers.Config) { c.DeprecatedSince = config.DefaultSunset().AddDate(0, 0, 1) }, "Sunset"},
	{func(c *handlers.Config) { c.Sunset = Now.AddDate(9000, 0, 0) }, "Sunset"},
	{func(c *handlers.Config) { c.Latency = handlers.Latency{Min: time.Second, Max: 0} }, "Latency"},
	{func(c *handlers.Config) { c.ErrorRate = math.NaN() }, "ErrorRate"},
	{func(c *handlers.Config) { c.RateLimit = math.Inf(1) }, "RateLimit"},
	{sized(fixtures.Sizes{Pets: -1, Orders: 3}), "Sizes.Pets"},
	{sized(fixtures.Sizes{Pets: 1, Categories: math.MaxInt}), "Sizes.Categories"},
	{func(c *handlers.Config) {
		*c = handlers.Config{
			World: []byte("{}"), Seed: new(uint64(1)), APIKeys: []string{"k", ""}, AdminKey: " ",
			AdminOrigins: []string{""}, AllowedHosts: []string{""}, CORSOrigins: []string{""},
			WebhookHosts: []string{""}, EnforceSunset: true, Latency: handlers.Latency{Min: -1}, ErrorRate: 2,
			RateLimit: -1, MaxRecords: -1, SandboxMemory: 1, MaxMemory: 1, MaxStanding: -1, MaxSandboxes: -1,
			SandboxTTL: -1, Journal: new(-1), PublicURL: "/", CA: []byte("CA"), Replica: " ",
		}
	}, "APIKeys AdminKey AdminOrigins AllowedHosts CA CORSOrigins EnforceSunset ErrorRate ErrorRate Journal Latency " +
		"Latency MaxMemory MaxRecords MaxSandboxes MaxStanding PublicURL RateLimit Replica SandboxMemory SandboxTTL " +
		"Seed WebhookHosts"},
	{func(c *handlers.Config) {
		c.PublicURL, c.AdminOrigins = "https://shop.example/petstore", []string{"x"}
	}, "AdminKey AdminOrigins"},
	{func(c *handlers.Config) { c.Sizes = &fixtures.Sizes{Pets: 3, Categories: 1} }, "Sizes"}, // of another baseline
}

// These change a configuration to have a public URL, a shard's name, and sizes.
func proxied(url string) func(*handlers.Config) {
	return func(c *handlers.Config) { c.PublicURL, c.AdminKey = url, "k" }
}

func shard(name string) func(*handlers.Config) {
	return func(c *handlers.Config) { c.Replica, c.Sharded = name, true }
}

func sized(sizes fixtures.Sizes) func(*handlers.Config) {
	return func(c *handlers.Config) { c.Baseline, c.Sizes = nil, &sizes }
}

// flagsOf are the flags of the fields that have not the field's own words.
var flagsOf = map[string]string{
	"APIKeys": "api-key", "AdminOrigins": "admin-origin", "AllowedHosts": "allowed-host", "CORSOrigins": "cors-origin",
	"WebhookHosts": "webhook-host", "MaxStanding": "max-connections", "CA": "tls", "Sizes": "pets",
	"Sizes.Pets": "pets", "Sizes.Categories": "categories",
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
	for i, test := range badConfigs {
		c := Config(test.change)
		_, err := handlers.New(c)
		var problems config.Problems
		if !errors.As(err, &problems) {
			t.Errorf("%d: New returns %v, want an error about %s", i, err, test.fields)
			continue
		}
		var fields []string
		for _, p := range problems {
			fields = append(fields, p.Field)
			words := regexp.MustCompile("([a-z])([A-Z])").ReplaceAllString(p.Field, "$1-$2")
			if want := cmp.Or(flagsOf[p.Field], strings.ToLower(words)); p.Flag != want {
				t.Errorf("%s: the flag is %s, want %s", p.Field, p.Flag, want)
			}
		}
		slices.Sort(fields)
		if got := strings.Join(fields, " "); got != test.fields {
			t.Errorf("%d: the fields are %s, want %s", i, got, test.fields)
		}
		if again := c.Check(); again == nil || again.Error() != err.Error() {
			t.Errorf("%d: Check says %v, New %v", i, again, err)
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
	NewWorld(t, func(c *handlers.Config) { c.CA = []byte{} }).Get(t, "/admin/ca.pem").Expect(t, 404, "not_found")
}

// TestConfigNowBeyondDateRange checks responses with times when the machine's clock is beyond
// the years that dates can represent.
func TestConfigNowBeyondDateRange(t *testing.T) {
	t.Parallel()
	for year, want := range map[int]string{0: "0002-01-01T00:00:00Z", -4000: "0002-01-01T00:00:00Z",
		12000: "9999-12-31T23:59:59.999999999Z"} {
		w := NewWorld(t, func(c *handlers.Config) {
			c.Now = func() time.Time { return time.Date(year, time.May, 1, 0, 0, 0, 0, time.UTC) }
		})
		w.Get(t, "/admin/clock").ExpectJSON(t, `{"now": "`+want+`", "frozen": false, "offsetSeconds": 0}`)
		for _, path := range []string{"/admin", "/admin/sandboxes", "/pets/1"} {
			w.Get(t, path).Expect(t, 200, "")
		}
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
