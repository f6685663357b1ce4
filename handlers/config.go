package handlers

import (
	"cmp"
	"io"
	"log/slog"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// Config is what a server is made of. The zero Config works: it is what the
// program does without flags.
type Config struct {
	// Baseline is the data that the server starts with and resets to; nil: fake data of
	// Seed and Sizes. It is shared and never changed.
	Baseline *store.State
	// Seed is the seed of the fake data in Baseline and of all random draws; nil: 1.
	Seed *uint64
	// Sizes are the sizes of the fake data in Baseline; nil with a Baseline: it has
	// none, as when it came from a file; nil without: the default sizes. They are
	// [fixtures.MaxFakes] records at most. Beside a Baseline they say that it is what
	// [fixtures.Generate] makes of Seed and Sizes, which worlds name instead of it.
	Sizes *fixtures.Sizes

	// World is a file as GET /admin/world returns it; nil: none. The default sandbox starts with
	// it and returns to its baseline, clock, lifecycles and faults; the others start with its
	// data and return to that. Baseline, Seed, Sizes, Latency, ErrorRate, DeprecatedSince, Sunset
	// and EnforceSunset are in it, and cannot be set beside it. What is wrong with the file
	// [New] says, as a [WorldError], and not Check.
	World []byte

	// Strict makes unknown fields and query parameters a 400.
	Strict bool
	// APIKeys are the bearer tokens that open the service; none: it is open, and the
	// messages accept the key "demo-key".
	APIKeys []string
	// AdminKey is the only key that opens the control plane; empty: it is open to any
	// client that uses one of its own host names, no proxy and no page of another site. It
	// cannot be one of APIKeys.
	AdminKey string
	// AdminOrigins are the origins, in addition to loopback ones, whose pages may use
	// the control plane: scheme://host[:port].
	AdminOrigins []string
	// AllowedHosts are the host names that the control plane accepts, in addition to
	// loopback ones and the listening address.
	AllowedHosts []string
	// CORSOrigins are the origins whose pages may use the service, and send
	// credentials; none: all. With "*", all others may use it without credentials.
	CORSOrigins []string
	// WebhookHosts are the host names or addresses, in addition to loopback ones, that webhooks
	// may send to.
	WebhookHosts []string

	// DeprecatedSince is the date since which getPet is deprecated; zero: 2026-01-01.
	DeprecatedSince time.Time
	// Sunset is the date on which getPet is removed; zero: 2030-12-31.
	Sunset time.Time
	// EnforceSunset makes operations return 410 from their sunset on.
	EnforceSunset bool

	// Latency delays every response of the service; zero: no delay.
	Latency Latency
	// ErrorRate is the share, from 0 to 1, of requests to the service that get a 503.
	ErrorRate float64
	// RateLimit is how many requests a second each client address may make to a sandbox, from
	// 0.001 to 1,000,000; 0: no limit. Behind a proxy that is not one of TrustedProxies all
	// clients have its address, and share the limit.
	RateLimit float64

	// MaxRecords is how many records a sandbox may hold beyond its baseline, an inventory
	// entry being part of its pet; 0: 100,000.
	MaxRecords int

	// SandboxMemory is how many bytes a sandbox may hold beyond the data that the server
	// starts with: records, what undo and snapshots keep, its journal and the like; at least
	// 16 MiB, of which the journal and the like can take 14; 0: 64 MiB.
	SandboxMemory int64
	// MaxMemory is how many bytes the process may use, at least 32 MiB; 0: any number. What
	// would need more is refused; what reads or frees goes on. It is a bound for what this
	// server does: it does not set Go's own memory limit.
	MaxMemory int64

	// MaxStanding is how many requests may listen to events, or wait for more than a second,
	// at once in all sandboxes together; 0: any number. Each holds a connection, or a stream
	// of HTTP/2, so that a server whose connections are bounded keeps some for others.
	MaxStanding int

	// MaxSandboxes is the maximum number of sandboxes, including the default one; 0:
	// 10,000.
	MaxSandboxes int
	// ExplicitSandboxes creates sandboxes only on explicit request: any other request to
	// one that does not exist is a 404.
	ExplicitSandboxes bool
	// Workshop runs a workshop: attendees join at /join, each with a sandbox of their own,
	// and no other request makes one, as with ExplicitSandboxes.
	Workshop bool
	// SandboxTTL is how long a sandbox other than the default one may be idle before it
	// is dropped; 0: an hour, or a day with Workshop.
	SandboxTTL time.Duration

	// Journal is how many requests a sandbox's journal keeps, within 4 MiB; nil:
	// 1000, 0: there is no journal.
	Journal *int

	// PublicURL is the address by which users reach the server when a proxy stands before it,
	// path prefix included, such as https://shop.example/petstore: documents, links, Location
	// and redirects go by it, and requests whose path still has the prefix are answered as if
	// it had not. It needs an AdminKey. Empty: addresses are those of each request.
	PublicURL string

	// CA is the certificate, in the PEM format, that clients must trust to speak HTTPS to this
	// server, which GET /admin/ca.pem returns to anybody; empty: there is none. It is for those
	// who serve HTTPS with a certificate of their own making.
	CA []byte

	// TrustedProxies are the networks, such as 10.0.0.0/8, and addresses of proxies whose
	// X-Forwarded-For or Forwarded names the client. Its address is what the rate limit, the
	// journal and the log go by. From other senders these headers do not change it.
	TrustedProxies []string

	// Replica is the name of this server among several, sent as X-Petstore-Replica with
	// every response: up to 100 visible ASCII characters; empty: there is no such header.
	Replica string

	// Sharded makes the server one of several replicas behind a balancer that goes by the names of
	// sandboxes: it has those alone whose canonical names end in a dot and Replica, which must be
	// [a-z0-9][a-z0-9-]{0,30}. It has no default sandbox then, and creates sandboxes only on
	// explicit request, as with ExplicitSandboxes.
	Sharded bool

	// Connections reports how many connections the server has, for /metrics; nil: that tells
	// nothing of them.
	Connections func() admin.Connections

	// Addresses returns the addresses by which other machines reach the server, best first,
	// such as http://192.168.1.20:8080, for the teacher of a workshop; nil: they are not known.
	// It is called by several goroutines at once.
	Addresses func() []string

	// Version is the version that health and the control plane report; empty: "devel".
	Version string
	// Log receives requests at level debug, first uses of deprecated operations at warn
	// and failures at error; nil: nothing is logged.
	Log *slog.Logger
	// Now returns the time that the sandboxes' clocks start from; nil: the machine's.
	// Beyond the years 1 to 9999 those stand still at the nearest moment.
	Now func() time.Time
}

// The defaults of Config.
const (
	DefaultSeed         = 1
	DefaultMaxRecords   = 100_000
	DefaultMaxSandboxes = 10_000
	DefaultSandboxTTL   = time.Hour
	WorkshopTTL         = 24 * time.Hour // a lunch break costs no attendee their work
	DefaultJournal      = 1000

	DefaultSandboxMemory = 64 << 20 // bytes

	// The least that [Config.SandboxMemory] and [Config.MaxMemory] can be, in bytes.
	MinSandboxMemory = 16 << 20
	MinMemory        = 32 << 20
)

// DefaultDeprecatedSince returns the date since which getPet is deprecated.
func DefaultDeprecatedSince() time.Time {
	return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
}

// DefaultSunset returns the date on which getPet is removed.
func DefaultSunset() time.Time { return time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC) }

// complete fills in the defaults of a Config that [Config.Check] has passed.
func (c *Config) complete() error {
	if c.Seed == nil {
		c.Seed = new(uint64(DefaultSeed))
	}
	if c.World != nil {
		b := world.Baseline(c.World)
		c.Baseline, c.Seed, c.Sizes = b.State, &b.Seed, b.Sizes
	}
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
	c.DeprecatedSince, c.Sunset = c.dates()
	c.MaxRecords = cmp.Or(c.MaxRecords, DefaultMaxRecords)
	c.SandboxMemory = cmp.Or(c.SandboxMemory, DefaultSandboxMemory)
	c.MaxSandboxes = cmp.Or(c.MaxSandboxes, DefaultMaxSandboxes)
	c.ExplicitSandboxes = c.ExplicitSandboxes || c.Workshop || c.Sharded
	if c.Workshop {
		c.SandboxTTL = cmp.Or(c.SandboxTTL, WorkshopTTL)
	}
	c.SandboxTTL = cmp.Or(c.SandboxTTL, DefaultSandboxTTL)
	if c.Journal == nil {
		c.Journal = new(DefaultJournal)
	}
	if c.Now == nil {
		c.Now = sandbox.Machine
	}
	c.Version = cmp.Or(c.Version, "devel")
	if c.Log == nil {
		c.Log = slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError + 1}))
	}
	return nil
}

// shard returns the shard of the server's sandboxes.
func (c *Config) shard() sandbox.Shard {
	if !c.Sharded {
		return ""
	}
	return sandbox.Shard(c.Replica)
}

// dates returns since when getPet is deprecated, and when it goes away.
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
