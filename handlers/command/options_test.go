package command

import (
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/config"
)

// parsed returns the options that Run would use.
func parsed(t *testing.T, environ []string, args ...string) (options, error) {
	t.Helper()
	o := options{}
	return o, o.parse(o.flags(), args, environ)
}

// goodValues are values for flags that do not accept arbitrary text.
var goodValues = map[string]string{
	"addr": "127.0.0.1:9", "public-url": "https://shop.example/petstore", "trusted-proxy": "10.0.0.0/8,::1", "replica": "eu-2",
	"admin-origin": "http://a.example,http://b.example", "cors-origin": "http://c.example", "log-format": "json",
	"sunset": "2028-01-02", "latency": "1ms..2ms", "error-rate": "0.25", "sandbox-memory": "32MiB", "max-memory": "256MiB",
}

// goodValue returns a valid value of a setting that is not its default.
func goodValue(s config.Setting) string {
	if value := goodValues[s.Name]; value != "" {
		return value
	}
	return map[string]string{
		"bool": "true", "string": "some", "list": "e.example,f.example", "number": "17", "time": "17s", "date": "2027-03-04T05:06:07Z", "level": "error",
	}[s.Value.Type()]
}

// TestEveryFlagAndVariableIsRead sets each setting by flag, by variable and by both. The flag must
// take precedence.
func TestEveryFlagAndVariableIsRead(t *testing.T) {
	t.Parallel()
	for s := range new(options).All() {
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
		if got := read([]string{variable + "=" + value}); got != want {
			t.Errorf("%s=%s sets %q, want %q", variable, value, got, want)
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
		if _, err := parsed(t, test.environ, test.args...); err == nil || !strings.Contains(err.Error(), "--log-level warn contradicts") {
			t.Errorf("%q with %q: %v", test.args, test.environ, err)
		}
	}
}

// TestMisspeltVariable checks that a misspelt variable causes a warning on standard error, and that
// the server runs.
func TestMisspeltVariable(t *testing.T) {
	t.Parallel()
	p := startRun(t, []string{"PETSTORE_PET=5", "PETSTORE_VERSION=1"}, "--addr", "127.0.0.1:0")
	got := programtest.Lines(p.Stderr.String())
	if len(got) != 1 || !strings.Contains(got[0], "level=WARN") || !strings.Contains(got[0], "PETSTORE_PET does not belong to a flag; did you mean PETSTORE_PETS?") {
		t.Errorf("standard error is %q, want a warning", got)
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
