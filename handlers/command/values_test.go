package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
)

// TestBadValues checks the errors for each type of flag, set by flag and by variable. They must
// have the name, the valid values and the given value.
func TestBadValues(t *testing.T) {
	t.Parallel()
	const whole, most = "must be a whole number of at most 18 digits", "must be a whole number from 0 to 18446744073709551615"
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
		{"sunset", "tomorrow", "must be a date such as 2026-01-31 or a date and time such as 2026-01-31T09:30:00Z (RFC 3339)"},
		{"latency", "fast", "must be a time such as 200ms, or two such as 200ms..800ms for an even spread, in whole milliseconds up to 10m"},
		{"error-rate", "10%", "must be a number from 0 to 1, such as 0.1 for one request in ten"},
		{"rate-limit", "ten", "must be a number of requests a second from 0.001 to 1000000, such as 10 or 0.5, or 0 for any"},
		{"addr", "127.0.0.1:99999", "must be host:port with a port from 0 to 65535, such as 127.0.0.1:8080"},
	} {
		want := fmt.Sprintf("--%s %s, not %q", test.flag, test.want, test.value)
		if _, err := parsed(t, nil, "--"+test.flag+"="+test.value); err == nil || strings.TrimSuffix(err.Error(), "; --help lists the flags") != want {
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

// TestBehaviourFlags checks the accepted values of flags, and that errors have the flag and its
// valid values.
func TestBehaviourFlags(t *testing.T) {
	t.Parallel()
	latency := func(least, most time.Duration) handlers.Config {
		return handlers.Config{Latency: handlers.Latency{Min: least, Max: most}}
	}
	const ms = time.Millisecond
	for arg, want := range map[string]handlers.Config{
		"--latency=200ms":        latency(200*ms, 200*ms),
		"--latency=200ms..800ms": latency(200*ms, 800*ms),
		"--latency=0s..1.5s":     latency(0, 1500*ms),
		"--latency=10m":          latency(10*time.Minute, 10*time.Minute),
		"--latency=0s":           {},
		"--error-rate=0.1":       {ErrorRate: 0.1},
		"--error-rate=1":         {ErrorRate: 1},
		"--rate-limit=10":        {RateLimit: 10},
		"--rate-limit=0.5":       {RateLimit: 0.5},
		"--rate-limit=0":         {},
		"--error-rate=0":         {},
	} {
		o, err := parsed(t, nil, arg)
		if err != nil {
			t.Errorf("%s: %v", arg, err)
		}
		got := o.Config
		if got.Latency != want.Latency || got.ErrorRate != want.ErrorRate || got.RateLimit != want.RateLimit {
			t.Errorf("%s: %+v %v %v", arg, got.Latency, got.ErrorRate, got.RateLimit)
		}
	}
	wants := map[string]string{
		"--latency": "200ms..800ms", "--error-rate": "from 0 to 1", "--rate-limit": "such as 10 or 0.5",
	}
	for flag, values := range map[string][]string{
		"--latency":    {"200", "fast", "-1ms", "11m", "200ms..100ms", "200ms..", "..", "1us", "1ms..2ms..3ms", ""},
		"--error-rate": {"-0.1", "1.1", "10%", "NaN", "", "Inf"},
		"--rate-limit": {"-1", "0.0001", "1000001", "ten", "NaN", ""},
	} {
		for _, value := range values {
			_, err := parsed(t, nil, flag+"="+value)
			if err == nil || !strings.Contains(err.Error(), flag) || !strings.Contains(err.Error(), wants[flag]) {
				t.Errorf("%s=%s: %v", flag, value, err)
			}
		}
	}
}
