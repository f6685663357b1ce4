package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
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
		waitReady: "https://shop.example/base",
	}
	c := &want.config
	c.Strict, c.EnforceSunset, c.ExplicitSandboxes = true, true, true
	c.APIKeys, c.AdminKey = []string{"one", "two"}, "admin"
	c.AdminOrigins, c.CORSOrigins = []string{"http://a.example", "http://b.example"}, []string{"http://c.example", "http://d.example"}
	c.AllowedHosts = []string{"e.example", "f.example"}
	c.DeprecatedSince = time.Date(2027, time.March, 4, 5, 6, 7, 0, time.UTC)
	c.Sunset = time.Date(2028, time.January, 2, 0, 0, 0, 0, time.UTC)
	c.MaxRecords, c.MaxSandboxes, c.SandboxTTL = 12, 13, 14*time.Minute
	c.Latency, c.ErrorRate, c.RateLimit = handlers.Latency{Min: time.Millisecond, Max: 2 * time.Millisecond}, 0.25, 1.5
	c.Journal = new(15)
	return map[string][]string{
		"addr": {"127.0.0.1:9"}, "seed": {"7"}, "pets": {"1"}, "categories": {"2"}, "orders": {"3"},
		"strict": {"true"}, "api-key": {"one", "two"}, "admin-key": {"admin"},
		"admin-origin": c.AdminOrigins, "allowed-host": c.AllowedHosts, "cors-origin": c.CORSOrigins,
		"deprecated-since": {"2027-03-04T05:06:07Z"}, "sunset": {"2028-01-02"}, "enforce-sunset": {"true"},
		"max-records": {"12"}, "max-sandboxes": {"13"}, "explicit-sandboxes": {"true"}, "sandbox-ttl": {"14m0s"}, "journal": {"15"},
		"latency": {"1ms..2ms"}, "error-rate": {"0.25"}, "rate-limit": {"1.5"},
		"log-format": {"json"}, "log-level": {"error"},
		"tls-cert": {"c.pem"}, "tls-key": {"k.pem"}, "wait-ready": {"https://shop.example/base"},
	}, want
}

func variable(flag string) string {
	return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func TestEveryFlagAndVariableIsRead(t *testing.T) {
	t.Parallel()
	values, want := everyFlag()
	for _, name := range []string{"fixtures", "verbose", "version", "help"} {
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
	got := lines(p.stderr.String())
	if len(got) != 1 || !strings.Contains(got[0], "level=WARN") || !strings.Contains(got[0], "PETSTORE_PET is no flag's; did you mean PETSTORE_PETS?") {
		t.Errorf("standard error is %q, want a warning", got)
	}
}

// TestVersionAndHelpNeedNothing wants neither a variable nor a value to be in the way.
func TestVersionAndHelpNeedNothing(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--version", "--help"} {
		got := runToEnd(t, []string{"PETSTORE_SEED=x"}, flag, "--addr", "8080")
		if got.code != exitOK || got.stderr != "" || got.stdout == "" {
			t.Errorf("%s: %+v", flag, got)
		}
	}
}

func TestFlagWinsOverVariable(t *testing.T) {
	t.Parallel()
	values, _ := everyFlag()
	for name, all := range values {
		o := options{}
		flags, _ := o.flags()
		byDefault := flags.Lookup(name).DefValue
		if byDefault == "" || byDefault == "[]" {
			byDefault = all[0] + "0" // a text of another value
		}
		if name == "wait-ready" || strings.HasPrefix(name, "tls-") || strings.HasSuffix(name, "-origin") || name == "latency" {
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

func TestBadUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	notPEM := file("not.pem", "not PEM")
	for _, test := range []struct {
		args    []string
		environ []string
		want    []string // parts of standard error
	}{
		{args: []string{"--seeds", "1"}, want: []string{"--seeds", "--help"}},
		{args: []string{"--seed"}, want: []string{"--seed", "--help"}},
		{args: []string{"--seed", "-1"}, want: []string{`"-1"`, "--seed"}},
		{args: []string{"--pets", "many"}, want: []string{`"many"`, "--pets"}},
		{args: []string{"--pets", "-3"}, want: []string{"--pets cannot be negative"}},
		{args: []string{"--categories", "0"}, want: []string{"--categories cannot be 0", "100"}},
		{args: []string{"--pets", "0"}, want: []string{"--pets cannot be 0", "50"}},
		{args: []string{"serve"}, want: []string{`"serve"`, "--help"}},
		{args: []string{"--sunset", "tomorrow"}, want: []string{`"tomorrow"`, "--sunset", "2026-01-31"}},
		{args: []string{"--sunset", "2025-12-31"}, want: []string{"--sunset 2025-12-31", "2026-01-01", "earlier"}},
		{args: []string{"--max-records", "0"}, want: []string{"--max-records", "at least 1"}},
		{args: []string{"--max-sandboxes", "0"}, want: []string{"--max-sandboxes", "at least 1"}},
		{args: []string{"--sandbox-ttl", "0s"}, want: []string{"--sandbox-ttl", "more than 0"}},
		{args: []string{"--admin-key", ""}, want: []string{"--admin-key", "empty"}},
		{args: []string{"--allowed-host", ""}, want: []string{"--allowed-host", `""`}},
		{args: []string{"--journal", "-1"}, want: []string{"--journal cannot be negative"}},
		{args: []string{"--max-records", "-1", "--journal", "-1"}, want: []string{"--max-records", "\n--journal"}},
		{args: []string{"--log-format", "xml"}, want: []string{"--log-format", `"xml"`}},
		{args: []string{"--log-level", "loud"}, want: []string{"--log-level", "loud"}},
		{args: []string{"--addr", "8080"}, want: []string{"--addr", `"8080"`, "127.0.0.1:8080"}},
		{args: []string{"--addr", ""}, want: []string{"--addr", "127.0.0.1:8080"}},
		{args: []string{"--addr", "127.0.0.1:99999"}, want: []string{"--addr", "99999"}},
		{args: []string{"--tls-cert", notPEM}, want: []string{"--tls-cert", "--tls-key", "both"}},
		{args: []string{"--tls-cert", notPEM, "--tls-key", notPEM}, want: []string{"--tls-cert", notPEM}},
		{args: []string{"--tls-cert", dir + "/none", "--tls-key", notPEM}, want: []string{dir + "/none"}},
		{args: []string{"--cors-origin", "shop.example"}, want: []string{"--cors-origin", `"shop.example"`, "scheme://host"}},
		{args: []string{"--api-key", "two words"}, want: []string{"--api-key", "spaces"}},
		{args: []string{"--fixtures", dir + "/none"}, want: []string{"--fixtures", dir + "/none"}},
		{args: []string{"--fixtures", "x", "--seed", "2"}, want: []string{"--seed", "--fixtures"}},
		{args: []string{"--fixtures", "x"}, environ: []string{"PETSTORE_PETS=2"}, want: []string{"--pets", "--fixtures"}},
		{environ: []string{"PETSTORE_SEED=x", "PETSTORE_ADDR=127.0.0.1:0", "PETSTORE_STRICT=perhaps"}, want: []string{"PETSTORE_SEED", `"x"`, "PETSTORE_STRICT", `"perhaps"`}},
	} {
		t.Run(strings.Join(append(test.environ, test.args...), " "), func(t *testing.T) {
			t.Parallel()
			got := runToEnd(t, test.environ, test.args...)
			if got.code != exitUsage || got.stdout != "" {
				t.Errorf("exit code %d, standard output %q, want %d and nothing", got.code, got.stdout, exitUsage)
			}
			for _, want := range test.want {
				if !strings.Contains(got.stderr, want) {
					t.Errorf("standard error is %q, want %q in it", got.stderr, want)
				}
			}
		})
	}
}

func TestBadFixturesAreListedByPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bad.yaml")
	text := "categories: [{id: 1, name: Dogs}]\n" +
		"pets: [{id: 1, name: '', categoryId: 99}, {id: 2, name: Rex, categoryId: 1, status: lost}]\n" +
		"orders: [{id: 1, petId: 2, quantity: 0}]\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runToEnd(t, nil, "--fixtures", path)
	if got.code != exitUsage || got.stdout != "" {
		t.Errorf("exit code %d, standard output %q, want %d and nothing", got.code, got.stdout, exitUsage)
	}
	all := lines(got.stderr)
	if want := "petstore: --fixtures " + path + " cannot be used:"; all[0] != want {
		t.Errorf("the first line is %q, want %q", all[0], want)
	}
	for _, place := range []string{"pets[0].name: ", "pets[0].categoryId: no category 99", "pets[1].status: ", "orders[0].quantity: "} {
		if strings.Count(got.stderr, "\n"+place) != 1 {
			t.Errorf("want one line that begins with %q in\n%s", place, got.stderr)
		}
	}
	if len(all) != 5 {
		t.Errorf("%d lines, want one and a line for each of 4 faults:\n%s", len(all), got.stderr)
	}
}

func TestHelpListsEveryFlag(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--help", "-h"} {
		got := runBinary(t, flag, "--seed", "1")
		if got.code != exitOK || got.stderr != "" {
			t.Errorf("%s: exit code %d, standard error %q, want 0 and nothing", flag, got.code, got.stderr)
		}
		allFlags().VisitAll(func(f *pflag.Flag) {
			if n := len(regexp.MustCompile(`(?m)^ +(?:-\w, )?--`+f.Name+` .*\S`).FindAllString(got.stdout, -1)); n != 1 {
				t.Errorf("%s has %d lines for --%s, want 1", flag, n, f.Name)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	got := runBinary(t, "--version")
	if got.code != exitOK || got.stderr != "" || !regexp.MustCompile(`^petstore \S+\n$`).MatchString(got.stdout) {
		t.Errorf("exit code %d, standard error %q, standard output %q, want 0, nothing and a line with the version", got.code, got.stderr, got.stdout)
	}
	var health struct{ Version string }
	if err := json.Unmarshal([]byte(get(t, startPetstore(t).url+"/healthz").body), &health); err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSpace(strings.TrimPrefix(got.stdout, "petstore ")); health.Version != want {
		t.Errorf("the health says version %q, --version %q", health.Version, want)
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("no room"), 1},
		{usagef("no %s", "such"), 2},
		{fmt.Errorf("wrapped: %w", usageError{io.EOF}), 2},
		{context.Canceled, 1},
	} {
		if got := exitCode(test.err); got != test.want {
			t.Errorf("exitCode(%v) = %d, want %d", test.err, got, test.want)
		}
	}
}
