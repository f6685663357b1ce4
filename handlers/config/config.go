package config

import (
	"cmp"
	"crypto/x509"
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

// Config configures a server. The zero Config is valid. Zero fields have the defaults of the
// program's flags, except that MaxMemory and MaxStanding then set no limit.
type Config struct {
	// Baseline is the data that the server starts with and resets to. Nil means fake data from Seed
	// and Sizes. The server does not copy Baseline and never changes it.
	Baseline *store.State
	// Seed is the seed of the fake data and of all random draws. Nil means 1.
	Seed *uint64
	// Sizes are the numbers of fake records, at most [fixtures.MaxFakes] in total. Without a
	// Baseline, nil means the default sizes. With a Baseline, leave Sizes nil unless
	// [fixtures.Generate] returned the Baseline for Seed and Sizes. If Sizes is set, exported
	// worlds contain the seed and the sizes instead of the data.
	Sizes *fixtures.Sizes

	// World is the contents of a world file, as returned by GET /admin/world, or nil. All
	// sandboxes start with this world and reset to its data, clock, lifecycles and faults. Only the
	// default sandbox gets the world's snapshots.
	//
	// A world contains Baseline, Seed, Sizes, Latency, ErrorRate, DeprecatedSince, Sunset and
	// EnforceSunset, so these must not be set with World. Check does not validate the file.
	// handlers.New does, and returns a handlers.WorldError.
	World []byte

	// Strict rejects unknown fields and query parameters with 400.
	Strict bool
	// APIKeys are the bearer tokens that the service accepts. If there are none, the service needs
	// no key, except that messages need the key "demo-key". A private sandbox accepts only its own
	// key and AdminKey.
	APIKeys []string
	// AdminKey is the key that the control plane accepts, besides a sandbox's own key in that
	// sandbox. If it is empty, the control plane needs a key only in private sandboxes. It then
	// rejects requests for unknown host names, requests through proxies, and writes and event
	// streams from pages of other sites. AdminKey should not be one of APIKeys, whose holders could
	// then use the control plane.
	AdminKey string
	// AdminOrigins are the origins (scheme://host[:port]) whose pages may use the control plane,
	// in addition to loopback origins and the server's own.
	AdminOrigins []string
	// AllowedHosts are the host names that the control plane accepts in requests without a key, in
	// addition to loopback names and the IP address to which the client connected.
	AllowedHosts []string
	// CORSOrigins are the origins whose pages may use the service with credentials. If the list is
	// empty, the pages of all origins may do so, but without credentials if PublicURL is set. If it
	// contains "*", all other origins may use the service without credentials.
	CORSOrigins []string
	// WebhookHosts are the host names or addresses that webhooks may be sent to, in addition to
	// loopback addresses.
	WebhookHosts []string
	// WebhookRoots returns the root certificates for verifying WebhookHosts. The server calls it
	// at most once. If WebhookRoots is nil or returns nil, the server uses the system's root
	// certificates.
	WebhookRoots func() *x509.CertPool

	// DeprecatedSince is the time from which getPet is deprecated. Zero means 2026-01-01.
	DeprecatedSince time.Time
	// Sunset is the announced time of getPet's removal. Zero means 2030-12-31.
	Sunset time.Time
	// EnforceSunset makes every operation return 410 after its sunset.
	EnforceSunset bool

	// Latency delays every response of the service.
	Latency Latency
	// ErrorRate is the fraction of requests to the service, from 0 to 1, that fail with 503.
	ErrorRate float64
	// RateLimit is the number of requests per second that each client address may make to a
	// sandbox, from 0.001 to 1,000,000. 0 means no limit. Clients behind a proxy share one limit,
	// unless the proxy is in TrustedProxies.
	RateLimit float64

	// MaxRecords is the maximum number of records in a sandbox in addition to its baseline.
	// Inventory entries do not count. 0 means 100,000.
	MaxRecords int

	// SandboxMemory is the memory that a sandbox may use in addition to the initial data, in
	// bytes. Records, undo, snapshots and the journal use it, for example. It must be at least 16
	// MiB, because the journal and other parts can use 14 MiB. 0 means 64 MiB.
	SandboxMemory int64
	// MaxMemory is the memory that the process may use, in bytes. It must be at least 48 MiB. 0
	// means no limit. The server rejects requests that would need more memory. Most reads, and
	// requests that free memory, still succeed. MaxMemory does not set the Go runtime's memory
	// limit.
	MaxMemory int64

	// MaxStanding is the maximum number of requests in all sandboxes that may listen to events or
	// wait longer than a second at the same time. 0 means no limit. Each such request occupies a
	// connection or an HTTP/2 stream. If a server limits its connections, it also needs this
	// limit, to keep some connections free for other requests.
	MaxStanding int

	// MaxSandboxes is the maximum number of sandboxes, including the default one. 0 means 10,000.
	MaxSandboxes int
	// ExplicitSandboxes means that only requests for the creation of a sandbox create one. Any
	// other request to an unknown sandbox gets a 404.
	ExplicitSandboxes bool
	// Workshop starts a workshop: attendees join at /join, and each gets a sandbox. It implies
	// ExplicitSandboxes.
	Workshop bool
	// SandboxTTL is the time after which an idle sandbox is dropped, unless it is the default one.
	// 0 means one hour, or one day with Workshop.
	SandboxTTL time.Duration

	// Journal is the maximum number of requests in a sandbox's journal. The journal's size is also
	// limited, to 4 MiB. Nil means 1000, and 0 turns the journal off.
	Journal *int

	// PublicURL is the URL at which users reach the server through a proxy, including any path
	// prefix, such as https://shop.example/petstore. The server uses it in documents, links,
	// Location headers and redirects. If it is empty, the server uses the host of each request.
	// The paths of requests may include or omit the prefix. PublicURL requires an AdminKey.
	PublicURL string

	// CA is the CA certificate, in PEM format, that clients must trust for HTTPS. It is for
	// servers with a generated certificate, and may be nil. GET /admin/ca.pem returns it and
	// requires no key.
	CA []byte

	// TrustedProxies are the addresses or networks, such as 10.0.0.0/8, of proxies whose
	// X-Forwarded-For or Forwarded header is trusted. The rate limit, the journal and the log use
	// the client's address from this header. In requests from other senders, these headers do not
	// change the client's address.
	TrustedProxies []string

	// Replica is the name of this server if there are several. It consists of up to 100 visible
	// ASCII characters. If it is not empty, every response contains it in X-Petstore-Replica.
	Replica string

	// Sharded makes the server one of several replicas behind a balancer that routes by sandbox
	// name. The server then has no default sandbox, and only sandboxes whose canonical names end
	// in a dot and Replica. Replica must match [a-z0-9][a-z0-9-]{0,30}. Sharded implies
	// ExplicitSandboxes.
	Sharded bool

	// Extras returns operations in addition to those of the service and the control plane, such as
	// pages, documents and tools for agents; see package extras. One of them must be GET /, which
	// calls index for clients that prefer JSON to a page. If Extras is nil, index handles GET /.
	Extras func(c *Config, service http.Handler, index rest.Handler) []rest.Operation

	// Connections returns the state of the server's connections. If it is nil, /metrics omits this
	// state.
	Connections func() admin.Connections

	// Addresses returns the base URLs at which other machines can reach the server, such as
	// http://192.168.1.20:8080, best first. The workshop page shows them. Addresses may be nil.
	// Otherwise, it must be safe for concurrent use.
	Addresses func() []string

	// Version is the version that /healthz and the control plane report. Empty means "devel".
	Version string
	// Log receives an entry for each request at level debug, for each internal error at error, and,
	// at a limited rate, for each caller's first use of a deprecated operation at warn. Nil
	// disables logging.
	Log *slog.Logger
	// Now returns the time on which the sandboxes' clocks are based. Nil means [time.Now]. Clocks
	// are clamped to the years 2 to 9999.
	Now func() time.Time
}

// Defaults and lower bounds of Config.
const (
	DefaultSeed          = 1
	DefaultMaxRecords    = 100_000
	DefaultMaxSandboxes  = 10_000
	DefaultSandboxTTL    = time.Hour
	WorkshopTTL          = 24 * time.Hour // long enough for attendees to keep their work during a break
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

// Complete replaces zero fields with their defaults, and sets ExplicitSandboxes if another field
// implies it. It takes Baseline, Seed and Sizes from World, if World is set. If Baseline is still
// nil, Complete generates it. The error comes from [fixtures.Generate]. The Config must have passed
// [Config.Check].
func (c *Config) Complete() error {
	if c.World != nil {
		b := world.Baseline(c.World)
		c.Baseline, c.Seed, c.Sizes = b.State, &b.Seed, b.Sizes
	}
	if c.Workshop {
		c.SandboxTTL = cmp.Or(c.SandboxTTL, WorkshopTTL)
	}
	p := Program{Config: *c}
	for _, s := range p.All() {
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
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	return nil
}

// SeedOrDefault returns *c.Seed, or DefaultSeed if c.Seed is nil.
func (c *Config) SeedOrDefault() uint64 { return *cmp.Or(c.Seed, new(uint64(DefaultSeed))) }

// Shard returns the shard that the server's sandboxes belong to, or "" if the server is not
// sharded.
func (c *Config) Shard() registry.Shard {
	if !c.Sharded {
		return ""
	}
	return registry.Shard(c.Replica)
}
