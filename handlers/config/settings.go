package config

import (
	"log/slog"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/middleware"
)

// Setting is a row in the table of settings. It describes a flag, its environment variable and the
// field that they set.
type Setting struct {
	Name  string // the flag's name, such as max-records
	Value Value
	Help  string // contains the name of the value, if there is one, in backquotes
	traits
}

// traits are properties that few settings have.
type traits struct {
	Short   string   // one-letter form of the flag
	Choices []string // all valid values, if there are few
	IsKey   bool     // the value is a secret that clients must send
	Once    bool     // the flag makes the program print or do one thing and exit; it has no environment variable
	NoStart string   // why start() in the npm package does not accept the setting, or ""
}

// Variable returns the name of the environment variable, or "" if the setting has none. Settings
// with Once have none. If --version had one, it would be PETSTORE_VERSION, which many container
// images set for another purpose.
func (s *Setting) Variable() string {
	if s.Once || s.Name == "" {
		return ""
	}
	return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
}

// Repeatable reports whether the flag may be given several times, each time with another value.
func (s *Setting) Repeatable() bool { return s.Value.Type() == "list" }

// Usage returns the name of the value and the help text without backquotes. If the setting has no
// value, the name is "".
func (s *Setting) Usage() (word, help string) {
	parts := strings.SplitN(s.Help, "`", 3)
	if len(parts) == 3 {
		word = parts[1]
	}
	return word, strings.Join(parts, "")
}

// Group is a group of settings in --help.
type Group struct {
	Title    string
	Settings []Setting
}

// Settings returns the table of all settings. To add a flag, add a row. The flag, its environment
// variable, its check, --help and the option of the npm package are derived from the row.
func (p *Program) Settings() []Group {
	c := &p.Config
	fakes := fixtures.DefaultSizes()
	share := between(0.0, 1, "must be from 0 to 1")
	checkHost := valid(middleware.ValidHost, "must be a host name such as shop.example, without a port")
	row := func(name string, value Value, help string, more ...traits) Setting {
		s := Setting{Name: name, Value: value, Help: help}
		if len(more) > 0 {
			s.traits = more[0]
		}
		return s
	}
	var sizes []Setting
	for _, size := range fixtures.SizeTable {
		sizes = append(sizes, row(size.Name, set(number, size.Of(&p.Fakes), *size.Of(&fakes), nil),
			"`number` of fake "+size.Name+"; at most 10,000,000 records in all"))
	}
	return []Group{
		{"What it serves", []Setting{
			row("addr", set(text, &p.Addr, "127.0.0.1:8080", checkAddr),
				"`address` to listen on; port 0 picks a free one"),
			row("public-url", set(text, &c.PublicURL, "", checkPublicURL),
				"`address` that users see when a proxy stands before the server, path prefix included, such as "+
					"https://shop.example/petstore"),
			row("trusted-proxy",
				texts(&c.TrustedProxies, valid(isProxy, "must be a network such as 10.0.0.0/8, or an address")),
				"`CIDR` such as 10.0.0.0/8, or address, of proxies whose X-Forwarded-For or Forwarded names the "+
					"client; repeatable"),
			row("tls", onOff(&p.TLS),
				"serve HTTPS with a certificate made in memory for localhost and for the machine's names and "+
					"addresses; /admin/ca.pem is what clients must trust",
				traits{NoStart: "start() serves HTTP, since fetch cannot be told which certificate to trust; run npx " +
					"petstore-sandbox --tls"}),
			row("tls-cert", set(text, &p.TLSCert, "", filled),
				"PEM `file` with the certificate to serve HTTPS with, read again within 10 s of a change; or for "+
					"--wait-ready to trust",
				traits{NoStart: "start() serves HTTP only"}),
			row("tls-key", set(text, &p.TLSKey, "", filled),
				"PEM `file` with the certificate's key", traits{NoStart: "start() serves HTTP only"}),
			row("replica", set(text, &c.Replica, "", c.checkReplica),
				"`name` of this server among several, sent as X-Petstore-Replica with every response"),
			row("sharded", onOff(&c.Sharded),
				"with --replica NAME, behind a balancer: have only sandboxes whose names end in .NAME, and "+
					"create them only on explicit request; there is no default one"),
		}},
		{"The data", slices.Insert([]Setting{
			row("seed", set(pointer(unsigned), &c.Seed, new(uint64(DefaultSeed)), nil),
				"`number` that the fake data is generated from; the same seed gives the same data"),
			row("fixtures", set(text, &p.Fixtures, "", filled),
				"JSON or YAML `file` with the data to serve instead of fake data"),
			row("world", set(text, &p.World, "", filled),
				"JSON `file` with a whole sandbox, as GET /admin/world returns it, to start with"),
			row("keep", set(text, &p.Keep, "", filled),
				"`file` that keeps all sandboxes: read at the start if it is there, and written at the end and "+
					"in each minute with a change; it wins over the initial data"),
		}, 1, sizes...)},
		{"Who may use it", []Setting{
			row("api-key", texts(&c.APIKeys, checkKey),
				"`key` that every request to the service must send; repeatable", traits{IsKey: true}),
			row("admin-key", set(text, &c.AdminKey, "", checkAdminKey),
				"`key` that every request to the control plane must send", traits{IsKey: true}),
			row("admin-origin", texts(&c.AdminOrigins, valid(isAdminOrigin, badOrigin)),
				"`origin` whose pages may use the control plane, in addition to loopback ones; repeatable"),
			row("allowed-host", texts(&c.AllowedHosts, checkHost),
				"`host` name that the control plane accepts, in addition to loopback ones; repeatable"),
			row("workshop", onOff(&c.Workshop),
				"run a workshop: attendees get a sandbox each at /join, and no other request creates one; idle "+
					"ones stay a day unless --sandbox-ttl is given"),
			row("cors-origin", texts(&c.CORSOrigins, valid(isCORSOrigin, badOrigin)),
				"`origin` whose pages may use the service, instead of any; repeatable"),
			row("webhook-host", texts(&c.WebhookHosts, checkHost),
				"`host` name or address that webhooks may send to, in addition to loopback ones; repeatable"),
		}},
		{"How it behaves", []Setting{
			row("strict", onOff(&c.Strict), "refuse unknown fields and query parameters"),
			row("deprecated-since", set(date, &c.DeprecatedSince, DefaultDeprecatedSince(), nil),
				"`date` since which getPet is deprecated"),
			row("sunset", set(date, &c.Sunset, DefaultSunset(), nil), "`date` on which getPet is removed"),
			row("enforce-sunset", onOff(&c.EnforceSunset), "return 410 from the sunset on"),
			row("latency", set(latency, &c.Latency, Latency{}, checkLatency),
				"`time` by which every response of the service is delayed: 200ms, or 200ms..800ms for an even spread"),
			row("error-rate",
				set(decimal("must be a number from 0 to 1, such as 0.1 for one request in ten", share), &c.ErrorRate, 0,
					share),
				"`share` of requests to the service, from 0 to 1, that get a 503"),
			row("rate-limit", set(decimal(rateText, checkRate), &c.RateLimit, 0, checkRate),
				"`number` of requests a second that each client address may make to a sandbox, such as 10 or "+
					"0.5; 0 for no limit; behind a proxy all clients are one without --trusted-proxy"),
		}},
		{"Bounds", []Setting{
			row("max-sandboxes",
				set(number, &c.MaxSandboxes, DefaultMaxSandboxes,
					between(1, math.MaxInt, "must be at least 1 (the default sandbox)")),
				"maximum `number` of sandboxes, including the default one"),
			row("explicit-sandboxes", onOff(&c.ExplicitSandboxes),
				"create sandboxes only by POST /admin/sandboxes, PUT /admin/sandboxes/NAME, a fork or PUT "+
					"/admin/world; any other request to one that does not exist is a 404"),
			row("sandbox-ttl",
				set(duration, &c.SandboxTTL, DefaultSandboxTTL,
					between(1, time.Duration(math.MaxInt64), "must be more than 0")),
				"`time` after which an idle sandbox is dropped; the default one never is"),
			row("sandbox-memory", set(size, &c.SandboxMemory, DefaultSandboxMemory, atLeastBytes(MinSandboxMemory)),
				"memory that a sandbox may use beyond the initial data, such as 64MiB or 64MB (`bytes`, or KiB, "+
					"MiB, GiB of 1024, or KB, MB, GB of 1000)"),
			row("max-memory", set(size, &c.MaxMemory, 0, atLeastBytes(MinMemory)),
				"memory that the server may use, such as 256MiB or 1GB (`bytes`, or KiB, MiB, GiB of 1024, or "+
					"KB, MB, GB of 1000); by default half of what the machine or the container has"),
			row("max-records",
				set(number, &c.MaxRecords, DefaultMaxRecords, between(1, math.MaxInt, "must be at least 1")),
				"`number` of records that can be added to the initial data"),
			row("max-connections", set(number, &p.MaxConnections, 4096, between(1, math.MaxInt, "must be at least 1")),
				"maximum `number` of connections, kept below the limit of open files in any case; where it is "+
					"reached, idle ones are closed first"),
			row("journal", set(pointer(number), &c.Journal, new(DefaultJournal), checkJournal),
				"`number` of requests that each sandbox's journal keeps; 0 for no journal"),
		}},
		{"Running", []Setting{
			row("verbose", onOff(&p.Verbose), "log every request; short for --log-level debug", traits{Short: "v"}),
			row("log-format", set(text, &p.LogFormat, "text", valid(isLogFormat, "must be text or json")),
				"`format` of the log on standard error: text or json", traits{Choices: []string{"text", "json"}}),
			row("log-level", set(level, &p.LogLevel, slog.LevelInfo, nil),
				"lowest `level` that is logged: debug (every request), info, warn or error",
				traits{Choices: []string{"debug", "info", "warn", "error"}}),
			row("exit-with-stdin", onOff(&p.ExitWithStdin),
				"end, as on SIGTERM, when standard input ends, so that the server does not outlive the program "+
					"that started it",
				traits{NoStart: "start() always sets it"}),
			row("mcp", onOff(&p.MCP),
				"serve coding agents on standard input and output too, by the Model Context Protocol, and end "+
					"when standard input does; listens on a free port unless --addr is given",
				traits{NoStart: "it needs standard output; run the binary for it"}),
			row("drain", set(duration, &p.Drain, 0, between(0, maxDrain, "must be from 0s to 1h")),
				"`time` between SIGTERM, Ctrl-C or the end of standard input and the end, in which health "+
					"returns 503 and all else works, so that a load balancer sends requests elsewhere; at most 1h"),
			row("wait-ready", set(text, &p.WaitReady, "", filled),
				"instead of serving, wait at most 30 s until the server at this base `URL` is ready",
				traits{Once: true, NoStart: "start() waits until the server is ready"}),
			row("completion", set(text, &p.Completion, "", nil),
				"instead of serving, print the script by which this `shell` completes the flags: bash, zsh or fish",
				traits{Choices: []string{"bash", "zsh", "fish"}, Once: true, NoStart: "run the binary for it"}),
			row("version", onOff(&p.Version),
				"print the version", traits{Once: true, NoStart: "run the binary for it"}),
			row("help", onOff(&p.Help),
				"print this list", traits{Short: "h", Once: true, NoStart: "run the binary for it"}),
		}},
	}
}

// contradiction describes a setting that cannot be combined with some others.
type contradiction struct {
	setting  string
	because  string // the reason, as a predicate whose subject is an excluded setting
	excludes []string
}

// Contradictions between the initial data and other settings. checkProgram contains the
// contradictions about HTTPS and standard input.
var (
	worldContradicts = contradiction{"world", "is part of a world", append(fixtures.SizeNames(),
		"fixtures", "seed", "deprecated-since", "sunset", "enforce-sunset", "latency", "error-rate")}
	fixturesContradict = contradiction{"fixtures", "is for fake data", append(fixtures.SizeNames(), "seed")}
)

// All returns the settings in all groups.
func (p *Program) All() (all []Setting) {
	for _, group := range p.Settings() {
		all = append(all, group.Settings...)
	}
	return all
}

// field returns the field of p or p.Config that target points to. If target points to a part of
// such a field, such as Fakes.Pets, f is zero. ofConfig reports whether the field is in p.Config.
func (p *Program) field(target any) (f reflect.StructField, ofConfig bool) {
	for _, part := range []any{&p.Config, p} {
		v := reflect.ValueOf(part).Elem()
		for i := range v.NumField() {
			if v.Field(i).Addr().Interface() == target {
				return v.Type().Field(i), part != any(p)
			}
		}
	}
	return f, false
}
