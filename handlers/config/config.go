package config

import (
	"cmp"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// Config configures a server. The zero Config works; it equals the program without flags,
// but has no Extras.
type Config struct {
	// Baseline is the data that the server starts with and resets to. Nil means fake data from Seed
	// and Sizes. The server shares it and never changes it.
	Baseline *store.State
	// Seed is the seed of the fake data and of all random draws. Nil means 1.
	Seed *uint64
	// Sizes are the sizes of the fake data, at most [fixtures.MaxFakes] records in all. Without a
	// Baseline, nil means the default sizes. With a Baseline, Sizes asserts that the Baseline is
	// [fixtures.Generate] of Seed and Sizes; exported worlds then store the seed and sizes instead
	// of the data. Leave it nil for other data, such as a file's.
	Sizes *fixtures.Sizes

	// World is a file as GET /admin/world returns it, or nil. The default sandbox starts with it
	// and resets to its baseline, clock, lifecycles and faults; other sandboxes start with its data
	// and reset to that. Baseline, Seed, Sizes, Latency, ErrorRate, DeprecatedSince, Sunset and
	// EnforceSunset are part of a world and must not be set as well. Check does not
	// read the file; handlers.New reports its problems, as a handlers.WorldError.
	World []byte

	// Strict refuses unknown fields and query parameters with 400.
	Strict bool
	// APIKeys are the bearer tokens of the service. Without any, the service is open and messages
	// accept the key "demo-key".
	APIKeys []string
	// AdminKey is the only key to the control plane. If it is empty, the control plane is open to
	// clients that use one of its own host names and are neither proxies nor pages of another site.
	// It must not be one of APIKeys.
	AdminKey string
	// AdminOrigins are origins (scheme://host[:port]), in addition to loopback ones, whose pages
	// may use the control plane.
	AdminOrigins []string
	// AllowedHosts are host names that the control plane accepts in addition to loopback names and
	// the listening address.
	AllowedHosts []string
	// CORSOrigins are the origins whose pages may use the service with credentials. None means all.
	// "*" lets all other origins use the service without credentials.
	CORSOrigins []string
	// WebhookHosts are host names or addresses, in addition to loopback ones, that webhooks may
	// send to.
	WebhookHosts []string
	// WebhookRoots returns the root certificates for WebhookHosts. It is called once, before the
	// first use. Nil means the machine's.
	WebhookRoots func() *x509.CertPool

	// DeprecatedSince is the date of getPet's deprecation. Zero means 2026-01-01.
	DeprecatedSince time.Time
	// Sunset is the date of getPet's removal. Zero means 2030-12-31.
	Sunset time.Time
	// EnforceSunset makes operations return 410 after their sunset.
	EnforceSunset bool

	// Latency delays every response of the service.
	Latency Latency
	// ErrorRate is the share of the service's requests, from 0 to 1, that get a 503.
	ErrorRate float64
	// RateLimit is the number of requests per second that each client address may make to a
	// sandbox, from 0.001 to 1,000,000. 0 means no limit. All clients behind a proxy that is not in
	// TrustedProxies share the limit, since they have its address.
	RateLimit float64

	// MaxRecords is the number of records that a sandbox may hold beyond its baseline. An inventory
	// entry is part of its pet. 0 means 100,000.
	MaxRecords int

	// SandboxMemory is the number of bytes that a sandbox may hold beyond the initial data:
	// records, undo, snapshots, journal and the like. It is at least 16 MiB, of which the journal
	// and the like can take 14. 0 means 64 MiB.
	SandboxMemory int64
	// MaxMemory is the number of bytes that the process may use, at least 32 MiB. 0 means no limit.
	// Requests that would need more are refused; reads and whatever frees memory go on. It does not
	// set Go's own memory limit.
	MaxMemory int64

	// MaxStanding is the number of requests, over all sandboxes, that may listen to events or wait
	// longer than a second at the same time. 0 means no limit. Each of them holds a connection or
	// an HTTP/2 stream, so a server with bounded connections needs this bound to keep some for
	// other requests.
	MaxStanding int

	// MaxSandboxes is the maximum number of sandboxes, including the default one. 0 means 10,000.
	MaxSandboxes int
	// ExplicitSandboxes creates sandboxes only on explicit request. Any other request to an unknown
	// sandbox gets a 404.
	ExplicitSandboxes bool
	// Workshop runs a workshop: attendees join at /join and get a sandbox each. No other request
	// creates one, as with ExplicitSandboxes.
	Workshop bool
	// SandboxTTL is how long a sandbox other than the default one may be idle before it is dropped.
	// 0 means an hour, or a day with Workshop.
	SandboxTTL time.Duration

	// Journal is the number of requests in a sandbox's journal, within 4 MiB. Nil means 1000, and 0
	// turns the journal off.
	Journal *int

	// PublicURL is the address, including any path prefix, by which users reach the server through
	// a proxy, such as https://shop.example/petstore. Documents, links, Location and redirects use
	// it, and a request path may have the prefix or not. It requires an AdminKey. If it is empty,
	// addresses are those of each request.
	PublicURL string

	// CA is the certificate, in PEM format, that clients must trust for HTTPS. GET /admin/ca.pem
	// returns it without a key. It is for servers with a self-made certificate, and may be nil.
	CA []byte

	// TrustedProxies are networks, such as 10.0.0.0/8, and addresses of proxies whose
	// X-Forwarded-For or Forwarded header names the client. The rate limit, the journal and the log
	// use that address. The headers of other senders are ignored.
	TrustedProxies []string

	// Replica is the name of this server among several: up to 100 visible ASCII characters. Every
	// response carries it in X-Petstore-Replica, unless it is empty.
	Replica string

	// Sharded makes the server one of several replicas behind a balancer that routes by sandbox
	// name. The server then has only sandboxes whose canonical names end in a dot and Replica,
	// which must match [a-z0-9][a-z0-9-]{0,30}. It has no default sandbox, and creates sandboxes
	// only on explicit request, as with ExplicitSandboxes.
	Sharded bool

	// Extras returns operations in addition to those of the service and the control plane. Package
	// extras has those of the program: pages, documents and tools for agents. One of them is GET /,
	// which uses index for clients that want no page. Nil adds only index.
	Extras func(c *Config, service http.Handler, index rest.Handler) []rest.Operation

	// Connections returns the state of the server's connections for /metrics, which omits them if
	// it is nil.
	Connections func() admin.Connections

	// Addresses returns the addresses, best first, by which other machines reach the server, such
	// as http://192.168.1.20:8080. A workshop shows them to its teacher. It may be nil. It must be
	// safe for concurrent use.
	Addresses func() []string

	// Version is the version that health and the control plane report. Empty means "devel".
	Version string
	// Log receives requests at level debug, first uses of deprecated operations at warn and
	// failures at error. Nil disables logging.
	Log *slog.Logger
	// Now returns the time from which the sandboxes' clocks start. Nil means the machine's time.
	// Outside the years 1 to 9999, clocks stand still at the nearest instant.
	Now func() time.Time
}

// Defaults and lower bounds of Config.
const (
	DefaultSeed          = 1
	DefaultMaxRecords    = 100_000
	DefaultMaxSandboxes  = 10_000
	DefaultSandboxTTL    = time.Hour
	WorkshopTTL          = 24 * time.Hour // long enough that a break costs no attendee their work
	DefaultJournal       = 1000
	DefaultSandboxMemory = 64 << 20 // bytes

	MinSandboxMemory = 16 << 20 // bytes
	MinMemory        = 48 << 20 // bytes
)

// DefaultDeprecatedSince returns the date of getPet's deprecation.
func DefaultDeprecatedSince() time.Time {
	return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
}

// DefaultSunset returns the date of getPet's removal.
func DefaultSunset() time.Time { return time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC) }

// Complete sets the defaults of a Config that has passed [Config.Check].
func (c *Config) Complete() error {
	if c.World != nil {
		b := world.Baseline(c.World)
		c.Baseline, c.Seed, c.Sizes = b.State, &b.Seed, b.Sizes
	}
	if c.Workshop {
		c.SandboxTTL = cmp.Or(c.SandboxTTL, WorkshopTTL)
	}
	p := Program{Config: *c}
	for s := range p.All() {
		if s.Value.isZero() {
			s.Value.setDefault()
		}
	}
	*c = p.Config
	if c.Baseline == nil {
		if c.Sizes == nil {
			c.Sizes = new(fixtures.DefaultSizes())
		}
		state, err := fixtures.Generate(*c.Seed, *c.Sizes, nil)
		if err != nil {
			return err
		}
		c.Baseline = state
	}
	c.ExplicitSandboxes = c.ExplicitSandboxes || c.Workshop || c.Sharded
	c.Version = cmp.Or(c.Version, "devel")
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError + 1}))
	}
	return nil
}

// SeedOrDefault returns the seed of the fake data.
func (c *Config) SeedOrDefault() uint64 {
	if c.Seed == nil {
		return DefaultSeed
	}
	return *c.Seed
}

// Shard returns the shard of the server's sandboxes.
func (c *Config) Shard() registry.Shard {
	if !c.Sharded {
		return ""
	}
	return registry.Shard(c.Replica)
}

// dates returns the dates of getPet's deprecation and removal.
func (c *Config) dates() (since, sunset time.Time) {
	since, sunset = c.DeprecatedSince, c.Sunset
	if since.IsZero() {
		since = DefaultDeprecatedSince()
	}
	if sunset.IsZero() {
		sunset = DefaultSunset()
	}
	return since, sunset
}
