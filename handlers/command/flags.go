package command

import (
	"io"

	"github.com/spf13/pflag"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
)

// defaultMaxConnections is the default of --max-connections.
const defaultMaxConnections = 4096

// flags returns the flag set with its defaults, and the groups in which --help lists it.
func (o *options) flags() (*pflag.FlagSet, []group) {
	serves, data, access := newGroup("What it serves"), newGroup("The data"), newGroup("Who may use it")
	behaviour, bounds, running := newGroup("How it behaves"), newGroup("Bounds"), newGroup("Running")

	f := serves.flags
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	f.StringVar(&o.config.PublicURL, "public-url", "", "`address` that users see when a proxy stands before the server, path prefix included, such as https://shop.example/petstore")
	f.StringArrayVar(&o.config.TrustedProxies, "trusted-proxy", nil, "`CIDR` such as 10.0.0.0/8, or address, of proxies whose X-Forwarded-For or Forwarded names the client; repeatable")
	f.BoolVar(&o.madeTLS, "tls", false, "serve HTTPS with a certificate made in memory for localhost and for the machine's names and addresses; /admin/ca.pem is what clients must trust")
	f.StringVar(&o.tlsCert, "tls-cert", "", "PEM `file` with the certificate to serve HTTPS with, read again within 10 s of a change; or for --wait-ready to trust")
	f.StringVar(&o.tlsKey, "tls-key", "", "PEM `file` with the certificate's key")
	f.StringVar(&o.config.Replica, "replica", "", "`name` of this server among several, sent as X-Petstore-Replica with every response")
	f.BoolVar(&o.config.Sharded, "sharded", false, "with --replica NAME, behind a balancer: have only sandboxes whose names end in .NAME, and create them only on explicit request; there is no default one")

	f = data.flags
	sizes := fixtures.DefaultSizes()
	f.Uint64Var(&o.seed, "seed", handlers.DefaultSeed, "`number` that the fake data is generated from; the same seed gives the same data")
	f.IntVar(&o.sizes.Pets, "pets", sizes.Pets, "`number` of fake pets; at most 10,000,000 records in all")
	f.IntVar(&o.sizes.Categories, "categories", sizes.Categories, "`number` of fake categories; at most 10,000,000 records in all")
	f.IntVar(&o.sizes.Orders, "orders", sizes.Orders, "`number` of fake orders; at most 10,000,000 records in all")
	f.StringVar(&o.fixtures, "fixtures", "", "JSON or YAML `file` with the data to serve instead of fake data")
	f.StringVar(&o.world, "world", "", "JSON `file` with a whole sandbox, as GET /admin/world returns it, to start with")
	f.StringVar(&o.keep, "keep", "", "`file` that keeps all sandboxes: read at the start if it is there, and written at the end and in each minute with a change; it wins over the initial data")

	o.accessFlags(access.flags)
	o.behaviourFlags(behaviour.flags)
	o.boundFlags(bounds.flags)

	f = running.flags
	f.BoolVarP(&o.verbose, "verbose", "v", false, "log every request; short for --log-level debug")
	f.StringVar(&o.logFormat, "log-format", "text", "`format` of the log on standard error: text or json")
	f.Var((*levelValue)(&o.logLevel), "log-level", "lowest `level` that is logged: debug (every request), info, warn or error")
	f.BoolVar(&o.exitWithStdin, "exit-with-stdin", false, "end, as on SIGTERM, when standard input ends, so that the server does not outlive the program that started it")
	f.BoolVar(&o.mcp, "mcp", false, "serve coding agents on standard input and output too, by the Model Context Protocol, and end when standard input does; listens on a free port unless --addr is given")
	f.DurationVar(&o.drain, "drain", 0, "`time` between SIGTERM, Ctrl-C or the end of standard input and the end, in which health returns 503 and all else works, so that a load balancer sends requests elsewhere; at most 1h")
	f.StringVar(&o.waitReady, "wait-ready", "", "instead of serving, wait at most 30 s until the server at this base `URL` is ready")
	f.StringVar(&o.completion, "completion", "", "instead of serving, print the script by which this `shell` completes the flags: bash, zsh or fish")
	f.BoolVar(&o.version, "version", false, "print the version")
	f.BoolVarP(&o.help, "help", "h", false, "print this list")

	groups := []group{serves, data, access, behaviour, bounds, running}
	all := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	all.SortFlags = false
	all.SetOutput(io.Discard) // run reports errors
	for _, g := range groups {
		all.AddFlagSet(g.flags)
	}
	return all, groups
}

// accessFlags adds the flags that control access to the server.
func (o *options) accessFlags(f *pflag.FlagSet) {
	c := &o.config
	f.StringArrayVar(&c.APIKeys, "api-key", nil, "`key` that every request to the service must send; repeatable")
	f.StringVar(&c.AdminKey, "admin-key", "", "`key` that every request to the control plane must send")
	f.StringArrayVar(&c.AdminOrigins, "admin-origin", nil, "`origin` whose pages may use the control plane, in addition to loopback ones; repeatable")
	f.StringArrayVar(&c.AllowedHosts, "allowed-host", nil, "`host` name that the control plane accepts, in addition to loopback ones; repeatable")
	f.BoolVar(&c.Workshop, "workshop", false, "run a workshop: attendees get a sandbox each at /join, and no other request creates one; idle ones stay a day unless --sandbox-ttl is given")
	f.StringArrayVar(&c.CORSOrigins, "cors-origin", nil, "`origin` whose pages may use the service, instead of any; repeatable")
	f.StringArrayVar(&c.WebhookHosts, "webhook-host", nil, "`host` name or address that webhooks may send to, in addition to loopback ones; repeatable")
}

// behaviourFlags adds the flags that control the server's behaviour.
func (o *options) behaviourFlags(f *pflag.FlagSet) {
	c := &o.config
	c.DeprecatedSince, c.Sunset = handlers.DefaultDeprecatedSince(), handlers.DefaultSunset()
	f.BoolVar(&c.Strict, "strict", false, "refuse unknown fields and query parameters")
	f.Var((*dateValue)(&c.DeprecatedSince), "deprecated-since", "`date` since which getPet is deprecated")
	f.Var((*dateValue)(&c.Sunset), "sunset", "`date` on which getPet is removed")
	f.BoolVar(&c.EnforceSunset, "enforce-sunset", false, "return 410 from the sunset on")
	f.Var(latencyValue{&c.Latency}, "latency", "`time` by which every response of the service is delayed: 200ms, or 200ms..800ms for an even spread")
	f.Var((*shareValue)(&c.ErrorRate), "error-rate", "`share` of requests to the service, from 0 to 1, that get a 503")
	f.Var((*rateValue)(&c.RateLimit), "rate-limit", "`number` of requests a second that each client address may make to a sandbox, such as 10 or 0.5; 0 for no limit; behind a proxy all clients are one without --trusted-proxy")
}

// boundFlags adds the flags that bound the size of a sandbox and of the server.
func (o *options) boundFlags(f *pflag.FlagSet) {
	c := &o.config
	f.IntVar(&c.MaxSandboxes, "max-sandboxes", handlers.DefaultMaxSandboxes, "maximum `number` of sandboxes, including the default one")
	f.BoolVar(&c.ExplicitSandboxes, "explicit-sandboxes", false, "create sandboxes only by POST /admin/sandboxes, PUT /admin/sandboxes/NAME, a fork or PUT /admin/world; any other request to one that does not exist is a 404")
	f.DurationVar(&c.SandboxTTL, "sandbox-ttl", handlers.DefaultSandboxTTL, "`time` after which an idle sandbox is dropped; the default one never is")
	c.SandboxMemory = handlers.DefaultSandboxMemory
	f.Var((*bytesValue)(&c.SandboxMemory), "sandbox-memory", "memory that a sandbox may use beyond the initial data, such as 64MiB or 64MB (`bytes`, or KiB, MiB, GiB of 1024, or KB, MB, GB of 1000)")
	f.Var((*bytesValue)(&c.MaxMemory), "max-memory", "memory that the server may use, such as 256MiB or 1GB (`bytes`, or KiB, MiB, GiB of 1024, or KB, MB, GB of 1000); by default half of what the machine or the container has")
	f.IntVar(&c.MaxRecords, "max-records", handlers.DefaultMaxRecords, "`number` of records that can be added to the initial data")
	f.IntVar(&o.maxConnections, "max-connections", defaultMaxConnections, "maximum `number` of connections, kept below the limit of open files in any case; where it is reached, idle ones are closed first")
	c.Journal = new(handlers.DefaultJournal)
	f.IntVar(c.Journal, "journal", handlers.DefaultJournal, "`number` of requests that each sandbox's journal keeps; 0 for no journal")
}
