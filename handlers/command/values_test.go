package command

import (
	"strings"
	"testing"
	"time"

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
		got := o.config
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

func TestJournalFlag(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want int
		ok   bool
	}{{nil, 1000, true}, {[]string{"--journal", "0"}, 0, true}, {[]string{"--journal", "7"}, 7, true}, {[]string{"--journal", "-1"}, -1, false}} {
		o, err := parsed(t, nil, test.args...)
		if (err == nil) != test.ok || *o.config.Journal != test.want {
			t.Errorf("%q means %d, %v; want %d", test.args, *o.config.Journal, err, test.want)
		}
	}
}

// TestZeroIsNoDefault wants nobody who gives a flag a zero to get its default.
func TestZeroIsNoDefault(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"--max-records=0", "--max-sandboxes=0", "--sandbox-ttl=0s", "--admin-key="} {
		flag, _, _ := strings.Cut(arg, "=")
		if _, err := parsed(t, nil, arg); err == nil || !strings.HasPrefix(err.Error(), flag+" ") {
			t.Errorf("%s: %v", arg, err)
		}
	}
}
