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

// Config configures a server. The zero Config is valid; it configures the server like the program
// without flags, but has no Extras.
type Config struct {
	// Baseline is the data that the server starts with and resets to. Nil means fake data from Seed
	// and Sizes. The server does not copy Baseline and never changes it.
	Baseline *store.State
	// Seed is the seed of the fake data and of all random draws. Nil means 1.
	Seed *uint64
	// Sizes are the numbers of fake records, at most [fixtures.MaxFakes] in total. Without a
	// Baseline, nil means the default sizes. With a Baseline, setting Sizes asserts that
	// [fixtures.Generate] returned the Baseline for Seed and Sizes; exported worlds then store the
	// seed and sizes instead of the data. Leave Sizes nil for any other Baseline.
	Sizes *fixtures.Sizes

	// World is the contents of a world file, as returned by GET /admin/world, or nil. The default
	// sandbox starts with this world and resets to its baseline, clock, lifecycles and faults.
	// Other sandboxes start with its data and reset to that. Baseline, Seed, Sizes, Latency,
	// ErrorRate, DeprecatedSince, Sunset and EnforceSunset are part of a world and must not be set
	// with it. Check does not validate the file; handlers.New does, and returns a
	// handlers.WorldError.
	World []byte

	// Strict rejects unknown fields and query parameters with 400.
	Strict bool
	// APIKeys are the bearer tokens that the service accepts. If there are none, the service needs
	// no key, except that messages need the key "demo-key".
	APIKeys []string
	// AdminKey is the only key that the control plane accepts. If it is empty, the control plane
	// needs no key, but rejects requests for unknown host names, through proxies, and from pages of
	// other sites. It must not be one of APIKeys.
	AdminKey string
	// AdminOrigins are origins (scheme://host[:port]) whose pages may use the control plane, in
	// addition to loopback origins.
	AdminOrigins []string
	// AllowedHosts are host names that the control plane accepts in addition to loopback names and
	// the listening address.
	AllowedHosts []string
	// CORSOrigins are the origins whose pages may use the service with credentials. If it is empty,
	// all origins may. With "*" in the list, all other origins may use the service without
	// credentials.
	CORSOrigins []string
	// WebhookHosts are host names or addresses that webhooks may be sent to, in addition to
	// loopback addresses.
	WebhookHosts []string
	// WebhookRoots returns the root certificates for verifying WebhookHosts. It is called at most
	// once. If the function is nil or returns nil, the system's root certificates are used.
	WebhookRoots func() *x509.CertPool

	// DeprecatedSince is the time from which getPet is deprecated. Zero means 2026-01-01.
	DeprecatedSince time.Time
	// Sunset is the time from which getPet is removed. Zero means 2030-12-31.
	Sunset time.Time
	// EnforceSunset makes an operation return 410 from its sunset on.
	EnforceSunset bool

	// Latency delays every response of the service.
	Latency Latency
	// ErrorRate is the fraction of requests to the service, from 0 to 1, that fail with 503.
	ErrorRate float64
	// RateLimit is the number of requests per second, from 0.001 to 1,000,000, that each client
	// address may make to a sandbox. 0 means no limit. Clients behind a proxy share one limit,
	// unless the proxy is in TrustedProxies.
	RateLimit float64

	// MaxRecords is the number of records that a sandbox may hold in addition to its baseline.
	// Inventory entries do not count. 0 means 100,000.
	MaxRecords int

	// SandboxMemory is the memory, in bytes, that a sandbox may use in addition to the initial
	// data, for records, undo, snapshots, journal and more. It must be at least 16 MiB, because the
	// journal and other parts can use 14 MiB. 0 means 64 MiB.
	SandboxMemory int64
	// MaxMemory is the memory, in bytes, that the process may use. It must be at least 48 MiB. 0
	// means no limit. Requests that would need more are rejected; reads and requests that free
	// memory still succeed. It does not set the Go runtime's memory limit.
	MaxMemory int64

	// MaxStanding is the number of requests, in all sandboxes together, that may listen to events
	// or wait longer than a second at the same time. 0 means no limit. Each such request holds a
	// connection or an HTTP/2 stream, so a server that limits its connections needs this limit too,
	// to leave some for other requests.
	MaxStanding int

	// MaxSandboxes is the maximum number of sandboxes, including the default one. 0 means 10,000.
	MaxSandboxes int
	// ExplicitSandboxes means that sandboxes are created only by explicit requests. Any other
	// request to an unknown sandbox gets a 404.
	ExplicitSandboxes bool
	// Workshop starts a workshop: attendees join at /join, and each gets a sandbox. It implies
	// ExplicitSandboxes.
	Workshop bool
	// SandboxTTL is how long a sandbox other than the default one may be idle before it is dropped.
	// 0 means one hour, or one day with Workshop.
	SandboxTTL time.Duration

	// Journal is the number of requests that a sandbox's journal keeps, within 4 MiB. Nil means
	// 1000, and 0 turns the journal off.
	Journal *int

	// PublicURL is the URL at which users reach the server through a proxy, including any path
	// prefix, such as https://shop.example/petstore. The server uses it in documents, links,
	// Location headers and redirects. Request paths may include the prefix or omit it. PublicURL
	// requires an AdminKey. If it is empty, the server uses the host of each request instead.
	PublicURL string

	// CA is the CA certificate, in PEM format, that clients must trust for HTTPS. GET /admin/ca.pem
	// returns it and requires no key. It is for servers with a generated certificate, and may be
	// nil.
	CA []byte

	// TrustedProxies are the addresses or networks, such as 10.0.0.0/8, of proxies whose
	// X-Forwarded-For or Forwarded header is trusted. The rate limit, the journal and the log use
	// the client address from that header. The headers of other senders are ignored.
	TrustedProxies []string

	// Replica is the name of this server if there are several: up to 100 visible ASCII characters.
	// If it is not empty, every response carries it in X-Petstore-Replica.
	Replica string

	// Sharded makes the server one of several replicas behind a balancer that routes by sandbox
	// name. The server then has only sandboxes whose canonical names end in a dot and Replica, and
	// no default sandbox. Replica must match [a-z0-9][a-z0-9-]{0,30}. Sharded implies
	// ExplicitSandboxes.
	Sharded bool

	// Extras returns operations in addition to those of the service and the control plane, such as
	// pages, documents and tools for agents; see package extras. One of them must be GET /. It uses
	// index for clients that do not want a page. Nil adds only index.
	Extras func(c *Config, service http.Handler, index rest.Handler) []rest.Operation

	// Connections returns the state of the server's connections. If it is nil, /metrics omits them.
	Connections func() admin.Connections

	// Addresses returns the base URLs at which other machines can reach the server, best first,
	// such as http://192.168.1.20:8080. The workshop page shows them. Addresses may be nil;
	// otherwise it must be safe for concurrent use.
	Addresses func() []string

	// Version is the version that /healthz and the control plane report. Empty means "devel".
	Version string
	// Log receives requests at level debug, the first use of a deprecated operation at warn, and
	// internal errors at error. Nil disables logging.
	Log *slog.Logger
	// Now returns the time on which the sandboxes' clocks are based. Nil means [time.Now]. Clocks
	// are clamped to the years 1 to 9999.
	Now func() time.Time
}

// Defaults and lower bounds of Config.
const (
	DefaultSeed          = 1
	DefaultMaxRecords    = 100_000
	DefaultMaxSandboxes  = 10_000
	DefaultSandboxTTL    = time.Hour
	WorkshopTTL          = 24 * time.Hour // long enough that attendees keep their work over a break
	DefaultJournal       = 1000
	DefaultSandboxMemory = 64 << 20 // bytes

	MinSandboxMemory = 16 << 20 // bytes
	MinMemory        = 48 << 20 // bytes
)

// DefaultDeprecatedSince returns the default of Config.DeprecatedSince.
func DefaultDeprecatedSince() time.Time {
	return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
}

// DefaultSunset returns the default of Config.Sunset.
func DefaultSunset() time.Time { return time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC) }

// Complete replaces zero fields by their defaults and, if Baseline is nil, generates it. The Config
// must have passed [Config.Check].
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

// SeedOrDefault returns *c.Seed, or DefaultSeed if c.Seed is nil.
func (c *Config) SeedOrDefault() uint64 {
	if c.Seed == nil {
		return DefaultSeed
	}
	return *c.Seed
}

// Shard returns the shard that the server's sandboxes belong to, or "" if the server is not
// sharded.
func (c *Config) Shard() registry.Shard {
	if !c.Sharded {
		return ""
	}
	return registry.Shard(c.Replica)
}

// dates returns DeprecatedSince and Sunset, or their defaults.
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
