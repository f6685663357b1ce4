package logs

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/testmain"
)

func TestBounded(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		var text strings.Builder
		log := NewBounded(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{
			ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		})))
		expect := func(want string) {
			t.Helper()
			if diff := cmp.Diff(want, text.String()); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
			text.Reset()
		}
		const line = "level=WARN msg=a\n"
		for range Lines {
			log.Warn("a")
		}
		expect(strings.Repeat(line, Lines))
		for range 1000 {
			log.Warn("a", "b", 1)
		}
		expect("level=WARN msg=\"more lines like the last are held back\" for=1m0s\n")
		time.Sleep(Time)
		log.Warn("a", "b", 2)
		expect("level=WARN msg=\"lines like the next were held back\" lines=1000\nlevel=WARN msg=a b=2\n")
	})
}
