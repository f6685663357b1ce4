package logs

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// record returns a logger and the messages that reach its handler, with their attributes.
func record() (*slog.Logger, *strings.Builder) {
	var text strings.Builder
	return slog.New(
		Bounded(slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))), &text
}

func TestBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, text := record()
		expect := func(want string) {
			t.Helper()
			if diff := cmp.Diff(want, text.String()); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
			text.Reset()
		}
		const line = "level=WARN msg=a\n"
		for range Lines - 1 {
			log.Warn("a")
		}
		expect(strings.Repeat(line, Lines-1))
		time.Sleep(Time - time.Nanosecond)
		for range 1000 {
			log.With("b", 1).Warn("a") // shares the limit of log
		}
		expect("level=WARN msg=a b=1\nlevel=WARN msg=\"more lines like the last are held back\" b=1 for=1m0s\n")
		time.Sleep(time.Nanosecond)
		log.Warn("a")
		log.WithGroup("g").Warn("a", "b", 1)
		expect("level=WARN msg=\"lines like the next were held back\" lines=999\n" + line + "level=WARN msg=a g.b=1\n")
	})
}

// TestUnloggedLevelDoesNotCount checks that messages below the handler's level do not count
// towards the limit.
func TestUnloggedLevelDoesNotCount(t *testing.T) {
	t.Parallel()
	log, text := record()
	for range 2 * Lines {
		log.Debug("a")
	}
	log.Warn("b")
	if got := text.String(); got != "level=WARN msg=b\n" {
		t.Errorf("logged %q", got)
	}
}
