package config

import (
	"iter"
	"reflect"
	"strings"

	"example.com/petstore/fixtures"
)

// Setting is a row of the table of settings: a flag and its variable, the field that they set, and
// what they may set it to.
type Setting struct {
	Name  string // of the flag, such as max-records
	Value Value
	Help  string // with the word for the value in backquotes

	Short   string   // the flag's letter, or ""
	Choices []string // all values, if they are few
	IsKey   bool     // is secret, and a server without it is open
	Once    bool     // makes the program do one thing and end, so that no variable may set it
	NoStart string   // why start() of the npm package does not take it, or ""
}

// Variable returns the name of the environment variable, or "" if the setting has none. (Many images
// set PETSTORE_VERSION.)
func (s *Setting) Variable() string {
	if s.Once || s.Name == "" {
		return ""
	}
	return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
}

// Usage returns the word for the value, or "" if there is none, and the help without backquotes.
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

// Settings returns the table of all settings, which is where a flag is added. Flags, variables,
// their checks, --help and the options of the npm package follow from a row.
func (p *Program) Settings() []Group {
	c := &p.Config
	fakes := fixtures.DefaultSizes()
	return []Group{
		{"What it serves", []Setting{
			{Name: "addr", Value: text(&p.Addr, "127.0.0.1:8080", checkAddr), Help: "`address` to listen on; port 0 picks a free one"},
			{Name: "public-url", Value: text(&c.PublicURL, "", checkPublicURL), Help: "`address` that users see when a proxy stands before the server, path prefix included, such as https://shop.example/petstore"},
			{Name: "trusted-proxy", Value: texts(&c.TrustedProxies, checkProxy), Help: "`CIDR` such as 10.0.0.0/8, or address, of proxies whose X-Forwarded-For or Forwarded names the client; repeatable"},
			{Name: "tls", Value: onOff(&p.TLS), Help: "serve HTTPS with a certificate made in memory for localhost and for the machine's names and addresses; /admin/ca.pem is what clients must trust",
				NoStart: "start() serves HTTP, since fetch cannot be told which certificate to trust; run npx petstore-sandbox --tls"},
			{Name: "tls-cert", Value: text(&p.TLSCert, "", nil), Help: "PEM `file` with the certificate to serve HTTPS with, read again within 10 s of a change; or for --wait-ready to trust", NoStart: "start() serves HTTP only"},
			{Name: "tls-key", Value: text(&p.TLSKey, "", nil), Help: "PEM `file` with the certificate's key", NoStart: "start() serves HTTP only"},
			{Name: "replica", Value: text(&c.Replica, "", c.checkReplica), Help: "`name` of this server among several, sent as X-Petstore-Replica with every response"},
			{Name: "sharded", Value: onOff(&c.Sharded), Help: "with --replica NAME, behind a balancer: have only sandboxes whose names end in .NAME, and create them only on explicit request; there is no default one"},
		}},
		{"The data", []Setting{
			{Name: "seed", Value: seed(&c.Seed, DefaultSeed), Help: "`number` that the fake data is generated from; the same seed gives the same data"},
			{Name: "pets", Value: whole(&p.Fakes.Pets, fakes.Pets, nil), Help: "`number` of fake pets; at most 10,000,000 records in all"},
			{Name: "categories", Value: whole(&p.Fakes.Categories, fakes.Categories, nil), Help: "`number` of fake categories; at most 10,000,000 records in all"},
			{Name: "orders", Value: whole(&p.Fakes.Orders, fakes.Orders, nil), Help: "`number` of fake orders; at most 10,000,000 records in all"},
			{Name: "fixtures", Value: text(&p.Fixtures, "", nil), Help: "JSON or YAML `file` with the data to serve instead of fake data"},
			{Name: "world", Value: text(&p.World, "", nil), Help: "JSON `file` with a whole sandbox, as GET /admin/world returns it, to start with"},
			{Name: "keep", Value: text(&p.Keep, "", nil), Help: "`file` that keeps all sandboxes: read at the start if it is there, and written at the end and in each minute with a change; it wins over the initial data"},
		}},
		{"Who may use it", []Setting{
			{Name: "api-key", Value: secrets(&c.APIKeys, checkKey), Help: "`key` that every request to the service must send; repeatable", IsKey: true},
			{Name: "admin-key", Value: text(&c.AdminKey, "", c.checkAdminKey), Help: "`key` that every request to the control plane must send", IsKey: true},
			{Name: "admin-origin", Value: texts(&c.AdminOrigins, checkAdminOrigin), Help: "`origin` whose pages may use the control plane, in addition to loopback ones; repeatable"},
			{Name: "allowed-host", Value: texts(&c.AllowedHosts, checkHost("shop.example")), Help: "`host` name that the control plane accepts, in addition to loopback ones; repeatable"},
			{Name: "workshop", Value: onOff(&c.Workshop), Help: "run a workshop: attendees get a sandbox each at /join, and no other request creates one; idle ones stay a day unless --sandbox-ttl is given"},
			{Name: "cors-origin", Value: texts(&c.CORSOrigins, checkCORSOrigin), Help: "`origin` whose pages may use the service, instead of any; repeatable"},
			{Name: "webhook-host", Value: texts(&c.WebhookHosts, checkHost("hooks.example")), Help: "`host` name or address that webhooks may send to, in addition to loopback ones; repeatable"},
		}},
		{"How it behaves", []Setting{
			{Name: "strict", Value: onOff(&c.Strict), Help: "refuse unknown fields and query parameters"},
			{Name: "deprecated-since", Value: date(&c.DeprecatedSince, DefaultDeprecatedSince(), c.checkDate("/deprecatedSince")), Help: "`date` since which getPet is deprecated"},
			{Name: "sunset", Value: date(&c.Sunset, DefaultSunset(), c.checkDate("/sunset")), Help: "`date` on which getPet is removed"},
			{Name: "enforce-sunset", Value: onOff(&c.EnforceSunset), Help: "return 410 from the sunset on"},
			{Name: "latency", Value: latency(&c.Latency), Help: "`time` by which every response of the service is delayed: 200ms, or 200ms..800ms for an even spread"},
			{Name: "error-rate", Value: decimal(&c.ErrorRate, "must be a number from 0 to 1, such as 0.1 for one request in ten", checkShare), Help: "`share` of requests to the service, from 0 to 1, that get a 503"},
			{Name: "rate-limit", Value: decimal(&c.RateLimit, rateText, checkRate), Help: "`number` of requests a second that each client address may make to a sandbox, such as 10 or 0.5; 0 for no limit; behind a proxy all clients are one without --trusted-proxy"},
		}},
		{"Bounds", []Setting{
			{Name: "max-sandboxes", Value: whole(&c.MaxSandboxes, DefaultMaxSandboxes, c.checkMaxSandboxes), Help: "maximum `number` of sandboxes, including the default one"},
			{Name: "explicit-sandboxes", Value: onOff(&c.ExplicitSandboxes), Help: "create sandboxes only by POST /admin/sandboxes, PUT /admin/sandboxes/NAME, a fork or PUT /admin/world; any other request to one that does not exist is a 404"},
			{Name: "sandbox-ttl", Value: duration(&c.SandboxTTL, DefaultSandboxTTL, checkTTL), Help: "`time` after which an idle sandbox is dropped; the default one never is"},
			{Name: "sandbox-memory", Value: size(&c.SandboxMemory, DefaultSandboxMemory, atLeastBytes(MinSandboxMemory)), Help: "memory that a sandbox may use beyond the initial data, such as 64MiB or 64MB (`bytes`, or KiB, MiB, GiB of 1024, or KB, MB, GB of 1000)"},
			{Name: "max-memory", Value: size(&c.MaxMemory, 0, atLeastBytes(MinMemory)), Help: "memory that the server may use, such as 256MiB or 1GB (`bytes`, or KiB, MiB, GiB of 1024, or KB, MB, GB of 1000); by default half of what the machine or the container has"},
			{Name: "max-records", Value: whole(&c.MaxRecords, DefaultMaxRecords, atLeastOne("")), Help: "`number` of records that can be added to the initial data"},
			{Name: "max-connections", Value: whole(&p.MaxConnections, 4096, atLeastOne("")), Help: "maximum `number` of connections, kept below the limit of open files in any case; where it is reached, idle ones are closed first"},
			{Name: "journal", Value: optional(&c.Journal, DefaultJournal, checkJournal), Help: "`number` of requests that each sandbox's journal keeps; 0 for no journal"},
		}},
		{"Running", []Setting{
			{Name: "verbose", Short: "v", Value: onOff(&p.Verbose), Help: "log every request; short for --log-level debug"},
			{Name: "log-format", Value: text(&p.LogFormat, "text", checkLogFormat), Choices: []string{"text", "json"}, Help: "`format` of the log on standard error: text or json"},
			{Name: "log-level", Value: level(&p.LogLevel), Choices: []string{"debug", "info", "warn", "error"}, Help: "lowest `level` that is logged: debug (every request), info, warn or error"},
			{Name: "exit-with-stdin", Value: onOff(&p.ExitWithStdin), Help: "end, as on SIGTERM, when standard input ends, so that the server does not outlive the program that started it", NoStart: "start() always sets it"},
			{Name: "mcp", Value: onOff(&p.MCP), Help: "serve coding agents on standard input and output too, by the Model Context Protocol, and end when standard input does; listens on a free port unless --addr is given",
				NoStart: "it needs standard output; run the binary for it"},
			{Name: "drain", Value: duration(&p.Drain, 0, checkDrain), Help: "`time` between SIGTERM, Ctrl-C or the end of standard input and the end, in which health returns 503 and all else works, so that a load balancer sends requests elsewhere; at most 1h"},
			{Name: "wait-ready", Value: text(&p.WaitReady, "", nil), Help: "instead of serving, wait at most 30 s until the server at this base `URL` is ready", Once: true, NoStart: "start() waits until the server is ready"},
			{Name: "completion", Value: text(&p.Completion, "", nil), Choices: []string{"bash", "zsh", "fish"}, Help: "instead of serving, print the script by which this `shell` completes the flags: bash, zsh or fish", Once: true, NoStart: "run the binary for it"},
			{Name: "version", Value: onOff(&p.Version), Help: "print the version", Once: true, NoStart: "run the binary for it"},
			{Name: "help", Short: "h", Value: onOff(&p.Help), Help: "print this list", Once: true, NoStart: "run the binary for it"},
		}},
	}
}

// contradiction is a setting that excludes others.
type contradiction struct {
	setting  string
	because  string // of each of the others
	excludes []string
}

// The contradictions between settings, besides those of HTTPS and standard input in checkOwn.
var (
	worldContradicts = contradiction{"world", "is part of a world", []string{
		"fixtures", "seed", "pets", "categories", "orders", "deprecated-since", "sunset", "enforce-sunset", "latency", "error-rate",
	}}
	fixturesContradict = contradiction{"fixtures", "is for fake data", []string{"seed", "pets", "categories", "orders"}}
)

// All returns the rows of all groups.
func (p *Program) All() iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for _, group := range p.Settings() {
			for _, s := range group.Settings {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// field returns the field of the program or of its Config that a pointer points to.
func (p *Program) field(at any) (f reflect.StructField, ofConfig bool) {
	for _, part := range []any{&p.Config, p} {
		v := reflect.ValueOf(part).Elem()
		for i := range v.NumField() {
			if v.Field(i).Addr().Interface() == at {
				return v.Type().Field(i), part != any(p)
			}
		}
	}
	return f, false
}
