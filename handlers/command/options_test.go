package command

import (
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/programtest"
)

// parsed returns the options that run would use.
func parsed(t *testing.T, environ []string, args ...string) (options, error) {
	t.Helper()
	o := options{}
	flags, _ := o.flags()
	return o, o.parse(flags, args, environ)
}

// allFlags returns the flags as they are before a command line is read.
func allFlags() *pflag.FlagSet {
	all, _ := new(options).flags()
	return all
}

// everyFlag is a value for each flag, other than its default, and what the
// options then are.
func everyFlag() (map[string][]string, options) {
	want := options{
		addr: "127.0.0.1:9", seed: 7, sizes: fixtures.Sizes{Pets: 1, Categories: 2, Orders: 3},
		tlsCert: "c.pem", tlsKey: "k.pem", logFormat: "json", logLevel: slog.LevelError,
		waitReady: "https://shop.example/base", maxConnections: 16, drain: 17 * time.Second, exitWithStdin: true, keep: "shop.keep",
	}
	c := &want.config
	c.Strict, c.EnforceSunset, c.ExplicitSandboxes, c.Workshop, c.Sharded = true, true, true, true, true
	c.APIKeys, c.AdminKey = []string{"one", "two"}, "admin"
	c.AdminOrigins, c.CORSOrigins = []string{"http://a.example", "http://b.example"}, []string{"http://c.example", "http://d.example"}
	c.AllowedHosts, c.WebhookHosts = []string{"e.example", "f.example"}, []string{"g.example", "h.example"}
	c.DeprecatedSince = time.Date(2027, time.March, 4, 5, 6, 7, 0, time.UTC)
	c.Sunset = time.Date(2028, time.January, 2, 0, 0, 0, 0, time.UTC)
	c.MaxRecords, c.MaxSandboxes, c.SandboxTTL = 12, 13, 14*time.Minute
	c.Latency, c.ErrorRate, c.RateLimit = handlers.Latency{Min: time.Millisecond, Max: 2 * time.Millisecond}, 0.25, 1.5
	c.Journal = new(15)
	c.SandboxMemory, c.MaxMemory = 32<<20, 256<<20
	c.Replica, c.PublicURL, c.TrustedProxies = "eu-2", "https://shop.example/petstore", []string{"10.0.0.0/8", "::1"}
	return map[string][]string{
		"addr": {"127.0.0.1:9"}, "seed": {"7"}, "pets": {"1"}, "categories": {"2"}, "orders": {"3"},
		"strict": {"true"}, "api-key": {"one", "two"}, "admin-key": {"admin"},
		"admin-origin": c.AdminOrigins, "allowed-host": c.AllowedHosts, "cors-origin": c.CORSOrigins, "webhook-host": c.WebhookHosts,
		"deprecated-since": {"2027-03-04T05:06:07Z"}, "sunset": {"2028-01-02"}, "enforce-sunset": {"true"},
		"sandbox-memory": {"32MiB"}, "max-memory": {"256MiB"}, "max-connections": {"16"}, "max-records": {"12"}, "max-sandboxes": {"13"}, "explicit-sandboxes": {"true"}, "workshop": {"true"}, "sharded": {"true"}, "sandbox-ttl": {"14m0s"}, "journal": {"15"},
		"latency": {"1ms..2ms"}, "error-rate": {"0.25"}, "rate-limit": {"1.5"},
		"log-format": {"json"}, "log-level": {"error"},
		"tls-cert": {"c.pem"}, "tls-key": {"k.pem"}, "replica": {"eu-2"}, "public-url": {"https://shop.example/petstore"}, "trusted-proxy": c.TrustedProxies, "drain": {"17s"}, "keep": {"shop.keep"}, "exit-with-stdin": {"true"}, "wait-ready": {"https://shop.example/base"},
	}, want
}

func variable(flag string) string {
	return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func TestEveryFlagAndVariableIsRead(t *testing.T) {
	t.Parallel()
	values, want := everyFlag()
	for _, name := range []string{"fixtures", "world", "tls", "mcp", "verbose", "completion", "version", "help"} {
		values[name] = nil // excludes others: tested below
	}
	allFlags().VisitAll(func(f *pflag.Flag) {
		if _, ok := values[f.Name]; !ok {
			t.Errorf("everyFlag has no value for --%s", f.Name)
		}
	})
	var args, environ []string
	for name, all := range values {
		for _, value := range all {
			args = append(args, "--"+name+"="+value)
		}
		environ = append(environ, variable(name)+"="+strings.Join(all, ","))
	}
	for source, get := range map[string]func() (options, error){
		"flags":       func() (options, error) { return parsed(t, nil, args...) },
		"environment": func() (options, error) { return parsed(t, environ) },
	} {
		got, err := get()
		if err != nil {
			t.Errorf("%s: %v", source, err)
		}
		want := want
		if source == "environment" {
			want.waitReady = "" // for the command line alone
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", source, got, want)
		}
	}
	for source, get := range map[string]func() (options, error){
		"flag":     func() (options, error) { return parsed(t, nil, "--fixtures", "shop.yaml") },
		"variable": func() (options, error) { return parsed(t, []string{"PETSTORE_FIXTURES=shop.yaml"}) },
	} {
		if got, err := get(); err != nil || got.fixtures != "shop.yaml" {
			t.Errorf("fixtures by %s: %q, %v", source, got.fixtures, err)
		}
	}
	if got, err := parsed(t, []string{"PETSTORE_TLS=true"}); err != nil || !got.madeTLS {
		t.Errorf("PETSTORE_TLS=true: %+v, %v", got, err)
	}
	if got, err := parsed(t, nil, "--version"); err != nil || !got.version || got.help {
		t.Errorf("--version: %+v, %v", got, err)
	}
	if got, err := parsed(t, nil, "--help"); err != nil || !got.help || got.version {
		t.Errorf("--help: %+v, %v", got, err)
	}
}

// TestVerbose has --verbose mean --log-level debug, and the command line win over
// the environment, whichever of the two flags each of them has.
func TestVerbose(t *testing.T) {
	t.Parallel()
	verbose, warn := []string{"PETSTORE_VERBOSE=true"}, []string{"PETSTORE_LOG_LEVEL=warn"}
	for _, test := range []struct {
		environ, args []string
		want          slog.Level
	}{
		{nil, nil, slog.LevelInfo},
		{nil, []string{"-v"}, slog.LevelDebug},
		{nil, []string{"--verbose"}, slog.LevelDebug},
		{nil, []string{"--verbose=false"}, slog.LevelInfo},
		{nil, []string{"-v", "--log-level", "debug"}, slog.LevelDebug},
		{verbose, nil, slog.LevelDebug},
		{warn, []string{"-v"}, slog.LevelDebug},
		{verbose, []string{"--log-level", "warn"}, slog.LevelWarn},
		{verbose, []string{"--verbose=false"}, slog.LevelInfo},
	} {
		if got, err := parsed(t, test.environ, test.args...); err != nil || got.logLevel != test.want {
			t.Errorf("%q with %q: %v, %v; want %v", test.args, test.environ, got.logLevel, err, test.want)
		}
	}
	for _, test := range []struct{ environ, args []string }{
		{nil, []string{"-v", "--log-level", "warn"}},
		{append(verbose, warn...), nil},
	} {
		if _, err := parsed(t, test.environ, test.args...); err == nil || !strings.Contains(err.Error(), "--log-level warn contradicts") {
			t.Errorf("%q with %q: %v", test.args, test.environ, err)
		}
	}
}

// TestMisspeltVariable wants a warning on standard error, and the server to run.
func TestMisspeltVariable(t *testing.T) {
	t.Parallel()
	p := startRun(t, []string{"PETSTORE_PET=5", "PETSTORE_VERSION=1"}, "--addr", "127.0.0.1:0")
	got := programtest.Lines(p.Stderr.String())
	if len(got) != 1 || !strings.Contains(got[0], "level=WARN") || !strings.Contains(got[0], "PETSTORE_PET does not belong to a flag; did you mean PETSTORE_PETS?") {
		t.Errorf("standard error is %q, want a warning", got)
	}
}

func TestFlagWinsOverVariable(t *testing.T) {
	t.Parallel()
	values, _ := everyFlag()
	for name, all := range values {
		o := options{}
		flags, _ := o.flags()
		byDefault := flags.Lookup(name).DefValue
		switch {
		case name == "max-memory":
			byDefault = "1GiB"
		case byDefault == "" || byDefault == "[]":
			byDefault = all[0] + "0" // a text of another value
		}
		if name == "wait-ready" || strings.HasPrefix(name, "tls-") || strings.HasSuffix(name, "-origin") || name == "latency" || name == "trusted-proxy" {
			continue // no plain other value, or of no use alone; set like the others
		}
		if err := o.parse(flags, []string{"--" + name + "=" + byDefault}, []string{variable(name) + "=" + strings.Join(all, ",")}); err != nil {
			t.Errorf("--%s: %v", name, err)
		}
		if got := strings.Trim(flags.Lookup(name).Value.String(), "[]"); got != byDefault {
			t.Errorf("--%s=%s with %s=%s is %s", name, byDefault, variable(name), all, got)
		}
	}
}

func TestEmptyAndUnknownVariablesAreIgnored(t *testing.T) {
	t.Parallel()
	got, err := parsed(t, []string{"PETSTORE_SEED=", "PETSTORE_API_KEY=", "PETSTORE_HELP=true", "PETSTORE_VERSION=1.2.3",
		"PETSTORE_WAIT_READY=http://127.0.0.1:8080", "PETSTORE_PORT=tcp://10.0.0.1:80", "SEED=5", "PETSTORE_PETS"})
	want, wantErr := parsed(t, nil)
	if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant the defaults %+v, %v", got, err, want, wantErr)
	}
}

// TestWorkshopKeepsIdleSandboxes for a day, unless somebody says otherwise.
func TestWorkshopKeepsIdleSandboxes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		ttl  time.Duration
	}{
		{nil, time.Hour}, {[]string{"--workshop"}, 24 * time.Hour}, {[]string{"--workshop", "--sandbox-ttl", "1h"}, time.Hour},
	} {
		if got, err := parsed(t, nil, test.args...); err != nil || got.config.SandboxTTL != test.ttl {
			t.Errorf("%q: idle sandboxes stay %v, %v; want %v", test.args, got.config.SandboxTTL, err, test.ttl)
		}
	}
}
