package command

import (
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/internal/must"
)

// parsed returns the options that Run would use.
func parsed(t *testing.T, environ []string, args ...string) (options, error) {
	t.Helper()
	o := options{}
	return o, o.parse(o.flags(), args, environ)
}

// goodValues are values for flags that do not accept arbitrary text.
var goodValues = map[string]string{
	"addr": "127.0.0.1:9", "public-url": "https://shop.example/petstore", "trusted-proxy": "10.0.0.0/8,::1",
	"replica": "eu-2", "admin-origin": "http://a.example,http://b.example", "cors-origin": "http://c.example",
	"log-format": "json", "sunset": "2028-01-02", "latency": "1ms..2ms", "error-rate": "0.25",
	"sandbox-memory": "32MiB", "max-memory": "256MiB",
}

// goodValue returns a valid value of a setting that is not its default.
func goodValue(s config.Setting) string {
	if value := goodValues[s.Name]; value != "" {
		return value
	}
	return map[string]string{
		"bool": "true", "string": "some", "list": "e.example,f.example", "number": "17", "decimal": "1.7",
		"time": "17s", "date": "2027-03-04T05:06:07Z", "level": "error",
	}[s.Value.Type()]
}

// TestEveryFlagAndVariableIsRead sets each setting by flag, by variable and by both. The flag must
// take precedence.
func TestEveryFlagAndVariableIsRead(t *testing.T) {
	t.Parallel()
	for _, s := range new(options).All() {
		read := func(environ []string, args ...string) string {
			var o options
			f := o.flags()
			if err := f.Parse(args); err != nil {
				t.Errorf("%q: %v", args, err)
			}
			if err := o.readEnvironment(f, environ); err != nil {
				t.Errorf("%q: %v", environ, err)
			}
			return f.Lookup(s.Name).Value.String()
		}
		value := goodValue(s)
		if value == s.Value.Default() {
			t.Errorf("--%s: %q is its default", s.Name, value)
		}
		var args []string
		for part := range strings.SplitSeq(value, ",") {
			args = append(args, "--"+s.Name+"="+part)
		}
		if got := read(nil, args...); got != value {
			t.Errorf("%q sets %q", args, got)
		}
		variable := "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
		want := value
		if s.Once {
			want = read(nil) // the variable is ignored
		}
		for _, text := range []string{value, strings.ReplaceAll(value, ",", " , ")} {
			if got := read([]string{variable + "=" + text}); got != want {
				t.Errorf("%s=%s sets %q, want %q", variable, text, got, want)
			}
		}
		if got := read([]string{variable + "=x"}, args...); got != value {
			t.Errorf("%q sets %q with %s=x", args, got, variable)
		}
	}
}

// TestVerbose checks that --verbose means --log-level debug, and that either flag takes precedence
// over both variables.
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
		if got, err := parsed(t, test.environ, test.args...); err != nil || got.LogLevel != test.want {
			t.Errorf("%q with %q: %v, %v; want %v", test.args, test.environ, got.LogLevel, err, test.want)
		}
	}
	for _, test := range []struct{ environ, args []string }{
		{nil, []string{"-v", "--log-level", "warn"}},
		{append(verbose, warn...), nil},
	} {
		if _, err := parsed(t, test.environ, test.args...); err == nil ||
			!strings.Contains(err.Error(), "--log-level warn contradicts") {
			t.Errorf("%q with %q: %v", test.args, test.environ, err)
		}
	}
}

func TestEmptyAndUnknownVariablesAreIgnored(t *testing.T) {
	t.Parallel()
	got,
		err := parsed(t, []string{"PETSTORE_SEED=", "PETSTORE_API_KEY=", "PETSTORE_HELP=true", "PETSTORE_VERSION=1.2.3",
		"PETSTORE_WAIT_READY=http://127.0.0.1:8080", "PETSTORE_PORT=tcp://10.0.0.1:80", "SEED=5", "PETSTORE_PETS"})
	want, wantErr := parsed(t, nil)
	if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant the defaults %+v, %v", got, err, want, wantErr)
	}
}

// TestUnknownVariablesWarn also has the variables that Kubernetes sets in a pod for the
// Services petstore and petstore-two.
func TestUnknownVariablesWarn(t *testing.T) {
	t.Parallel()
	environ := []string{
		"PETSTORE_SEEDS=2",    // one letter too many
		"PETSTORE_APIKEY=a",   // one letter missing
		"PETSTORE_PETZ=3",     // one letter replaced
		"PETSTORE_SEDS=",      // empty, so treated as unset
		"PETSTORE_SEED=5",     // correct
		"PETSTORE_COLOUR=red", // not similar to a flag
		"PETSTORE_PORT=3000",  // a common name for the address
		"PETSTORE_VERSIONS=6", // similar to a flag without a variable
		"PETSTORE_VERSION=7",  // set in many images
		"PETSTORE_BINARY=/x",  // used by the clients for JavaScript, Python and Java
		"PETSTORE_URL=http:",  // likewise
		"_=/usr/bin/env",
		"=C:=x",
		"petstore_seed=8",
	}
	for _, service := range []string{"PETSTORE", "PETSTORE_TWO"} {
		for _, variable := range []string{
			"SERVICE_HOST=10.0.0.1", "SERVICE_PORT=80", "SERVICE_PORT_HTTP=80", "PORT=tcp://10.0.0.1:80",
			"PORT_80_TCP=tcp://10.0.0.1:80", "PORT_80_TCP_PROTO=tcp", "PORT_80_TCP_PORT=80",
			"PORT_80_TCP_ADDR=10.0.0.1", "PORT_53_UDP=udp://10.0.0.1:53",
		} {
			environ = slices.Insert(environ, 0, service+"_"+variable) // PETSTORE_PORT=3000 comes later
		}
	}
	want := []string{
		"the variable PETSTORE_APIKEY does not belong to a flag; did you mean PETSTORE_API_KEY?",
		"the variable PETSTORE_COLOUR does not belong to a flag; --help lists the flags",
		"the variable PETSTORE_PETZ does not belong to a flag; did you mean PETSTORE_PETS?",
		"the variable PETSTORE_PORT does not belong to a flag; did you mean PETSTORE_ADDR?",
		"the variable PETSTORE_SEEDS does not belong to a flag; did you mean PETSTORE_SEED?",
		"the variable PETSTORE_VERSIONS does not belong to a flag; --help lists the flags",
	}
	var o options
	if got := o.environmentWarnings(o.flags(), environ); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestEmptyKeysWarn(t *testing.T) {
	t.Parallel()
	var o options
	flags := o.flags()
	environ := []string{"PETSTORE_ADMIN_KEY=", "PETSTORE_API_KEY=", "PETSTORE_SEED="}
	want := []string{
		"the variable PETSTORE_API_KEY is empty, so there is no such key: give it a value, or remove it",
		"the variable PETSTORE_ADMIN_KEY is empty, so there is no such key: give it a value, or remove it",
	}
	if got := o.environmentWarnings(flags, environ); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	must.Succeed(t, flags.Parse([]string{"--admin-key", "k"}))
	if got := o.environmentWarnings(flags, environ); !slices.Equal(got, want[:1]) {
		t.Errorf("with --admin-key: %q, want %q", got, want[:1])
	}
	if got := o.environmentWarnings(flags, []string{"PETSTORE_API_KEY=k"}); got != nil {
		t.Errorf("with a key: %q, want none", got)
	}
}

// TestBadValues checks the errors for each type of flag, set by flag and by variable. They must
// have the name, the valid values and the given value.
func TestBadValues(t *testing.T) {
	t.Parallel()
	const whole, most = "must be a whole number of at most 18 digits", "must be a whole number from 0 to " +
		"18446744073709551615"
	const latency,
		errorRate = "must be a time such as 200ms, or two such as 200ms..800ms for an " +
		"even spread, in whole milliseconds up to 10m",
		"must be a number from 0 to 1, such as 0.1 for one request in ten"
	const rateLimit = "must be a number of requests a second from 0.001 to 1000000, such as 10 or 0.5, or 0 for any"
	variable := func(flag string) string { return "PETSTORE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_")) }
	for _, test := range []struct{ flag, value, want string }{
		{"pets", "many", whole}, {"pets", "1.5", whole}, {"pets", "9223372036854775808", whole}, {"pets", "", whole},
		{"journal", "x", whole},
		{"seed", "x", most}, {"seed", "-1", most}, {"seed", "18446744073709551616", most},
		{"strict", "perhaps", "must be true or false"},
		{"verbose", "2", "must be true or false"},
		{"sandbox-ttl", "10", "must be a time such as 90s, 10m or 1h30m"},
		{"sandbox-ttl", "soon", "must be a time such as 90s, 10m or 1h30m"},
		{"log-level", "loud", "must be debug, info, warn or error"},
		{"sunset", "tomorrow",
			"must be a date such as 2026-01-31 or a date and time such as 2026-01-31T09:30:00Z (RFC 3339)"},
		{"latency", "200", latency}, {"latency", "fast", latency}, {"latency", "-1ms", latency},
		{"latency", "11m", latency}, {"latency", "200ms..100ms", latency}, {"latency", "200ms..", latency},
		{"latency", "..", latency}, {"latency", "1us", latency}, {"latency", "1ms..2ms..3ms", latency},
		{"latency", "", latency},
		{"error-rate", "-0.1", errorRate}, {"error-rate", "1.1", errorRate}, {"error-rate", "10%", errorRate},
		{"error-rate", "NaN", errorRate}, {"error-rate", "", errorRate}, {"error-rate", "Inf", errorRate},
		{"rate-limit", "-1", rateLimit}, {"rate-limit", "0.0001", rateLimit}, {"rate-limit", "1000001", rateLimit},
		{"rate-limit", "ten", rateLimit}, {"rate-limit", "NaN", rateLimit}, {"rate-limit", "", rateLimit},
		{"addr", "127.0.0.1:99999", "must be host:port with a port from 0 to 65535, such as 127.0.0.1:8080"},
	} {
		want := fmt.Sprintf("--%s %s, not %q", test.flag, test.want, test.value)
		if _, err := parsed(t, nil, "--"+test.flag+"="+test.value); err == nil ||
			strings.TrimSuffix(err.Error(), "; --help lists the flags") != want {
			t.Errorf("--%s=%s: %v\nwant %s", test.flag, test.value, err, want)
		}
		if test.value == "" || test.flag == "addr" { // empty variables are ignored, and addresses are checked later
			continue
		}
		want = variable(test.flag) + strings.TrimPrefix(want, "--"+test.flag)
		if _, err := parsed(t, []string{variable(test.flag) + "=" + test.value}); err == nil || err.Error() != want {
			t.Errorf("%s=%s: %v\nwant %s", variable(test.flag), test.value, err, want)
		}
	}
}

// TestBytesFlags checks the usual meaning of units: MiB is 2^20 bytes, MB is 10^6 bytes, and M is
// 2^20 bytes, as for Docker and the JVM.
func TestBytesFlags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"268435456": 256 << 20, "256MiB": 256 << 20, "256mib": 256 << 20, "256M": 256 << 20, "2GiB": 2 << 30,
		"1.5g":  3 << 29,
		"256MB": 256e6, "256mb": 256e6, "1GB": 1e9, "2GB": 2e9, "64000kB": 64e6, "268435456B": 256 << 20,
	} {
		o, err := parsed(t, nil, "--max-memory", text)
		if err != nil || o.Config.MaxMemory != want {
			t.Errorf("--max-memory %s is %d, %v; want %d", text, o.Config.MaxMemory, err, want)
		}
	}
	const other = "must be a number of bytes such as 268435456, 256MiB, 256MB or 2GiB"
	for text, want := range map[string]string{
		"64":   "must be at least 48MiB, not 64B; a number without a unit is in bytes",
		"16MB": "must be at least 48MiB, not 15.26MiB",
		"-1":   other, "lots": other, "": other, "64Mb/s": other, "64MiBB": other,
	} {
		if _, err := parsed(t, nil, "--max-memory="+text); err == nil ||
			!strings.HasPrefix(err.Error(), "--max-memory "+want) {
			t.Errorf("--max-memory %s: %v, want %s", text, err, want)
		}
	}
}
