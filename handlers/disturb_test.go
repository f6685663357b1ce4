package handlers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"example.com/petstore/handlers"
)

// TestDisturbingFlags checks what the flags take, and that what they refuse names
// the flag and says what to write.
func TestDisturbingFlags(t *testing.T) {
	t.Parallel()
	latency := func(least, most time.Duration) handlers.Config {
		return handlers.Config{Latency: handlers.Latency{Min: least, Max: most}}
	}
	const ms = time.Millisecond
	good := map[string]handlers.Config{
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
	}
	for arg, want := range good {
		var got handlers.Config
		if err := parse(&got, arg); err != nil {
			t.Errorf("%s: %v", arg, err)
		}
		if got.Latency != want.Latency || got.ErrorRate != want.ErrorRate || got.RateLimit != want.RateLimit {
			t.Errorf("%s: %+v %v %v", arg, got.Latency, got.ErrorRate, got.RateLimit)
		}
	}
	bad := map[string]string{
		"--latency": "200ms..800ms", "--error-rate": "from 0 to 1", "--rate-limit": "such as 10 or 0.5",
	}
	for flag, values := range map[string][]string{
		"--latency":    {"200", "fast", "-1ms", "11m", "200ms..100ms", "200ms..", "..", "1us", "1ms..2ms..3ms", ""},
		"--error-rate": {"-0.1", "1.1", "10%", "NaN", "", "Inf"},
		"--rate-limit": {"-1", "0.0001", "1000001", "ten", "NaN", ""},
	} {
		for _, value := range values {
			var c handlers.Config
			err := parse(&c, flag+"="+value)
			if err == nil || !strings.Contains(err.Error(), flag) || !strings.Contains(err.Error(), bad[flag]) {
				t.Errorf("%s=%s: %v", flag, value, err)
			}
		}
	}
}

func parse(c *handlers.Config, arg string) error {
	f := pflag.NewFlagSet("petstore", pflag.ContinueOnError)
	c.Flags(f)
	return f.Parse([]string{arg})
}

func TestLatencyText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "200ms", "200ms..800ms", "0s..1s"} {
		var l handlers.Latency
		if text != "" {
			if err := l.Set(text); err != nil {
				t.Error(err)
			}
		}
		if got := l.String(); got != text {
			t.Errorf("%q is told as %q", text, got)
		}
	}
}

// TestLatencyFlag has the failures of --error-rate wait too.
func TestLatencyFlag(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0, 1} {
		w := newWorld(t, func(c *handlers.Config) {
			c.Latency, c.ErrorRate = handlers.Latency{Min: 20 * time.Millisecond, Max: 25 * time.Millisecond}, share
		})
		start := time.Now()
		a := w.get(t, "/pets")
		if waited := time.Since(start); waited < 20*time.Millisecond {
			t.Errorf("it took %v", waited)
		}
		if failed := a.status == 503; failed != (share == 1) {
			t.Errorf("an error rate of %v answers %d", share, a.status)
		}
	}
}
