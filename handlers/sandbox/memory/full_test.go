package memory

import (
	"errors"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/store/field"
)

// TestRefusalReportsMemory checks that a refusal reports the needed and the available memory, the
// sufficient limit, and whether the end of other requests can make room.
func TestRefusalReportsMemory(t *testing.T) {
	t.Parallel()
	const prefix = "the server has no memory left for this request: it may need "
	for name, test := range map[string]struct {
		live, others, own, more int64 // MiB
		never                   bool
		limit                   int64 // MiB
		want                    string
	}{
		"data leaves too little":       {640, 0, 0, 100, true, 1145, "100MiB, and can have at most 10MiB"},
		"more than ever":               {0, 0, 0, 651, true, 1008, "651MiB, and can have at most 650MiB"},
		"another request is in work":   {600, 100, 0, 100, false, 1237, "100MiB, and 0B are free"},
		"too much beside another":      {600, 100, 0, 200, true, 1391, "200MiB, and can have at most 150MiB"},
		"itself has some":              {600, 0, 20, 40, true, 1022, "60MiB, and can have at most 50MiB"},
		"itself and another have some": {560, 40, 20, 40, false, 1022, "60MiB, and 50MiB are free"},
	} {
		m, b := newMachine(1000 << 20) // of which 650 MiB may be in use
		must.Succeed(t, b.Reserve(test.others<<20, 0))
		must.Succeed(t, b.Reserve(test.own<<20, 0))
		m.later(time.Second, test.live<<20)
		m.collect()
		m.later(time.Second, test.live<<20)
		err := b.Reserve(test.more<<20, test.own<<20)
		full, ok := errors.AsType[Full](err)
		if !ok || !errors.Is(err, ErrFull) || full.Never() != test.never || full.Limit>>20 != test.limit ||
			err.Error() != prefix+test.want {
			t.Errorf("%s: %v, never: %t, with %d MiB; want %s, %t, %d MiB", name, err, full.Never(), full.Limit>>20,
				test.want, test.never, test.limit)
		}
		advice := map[bool]string{false: "try again when other requests have finished, "}[test.never]
		if p, ok := full.Unwrap().(*field.Problem); !ok || p.Args[0] != advice {
			t.Errorf("%s: the advice is %+v, want %q first", name, full.Unwrap(), advice)
		}
		full.PerByte = 6
		body := ", which is enough for a body of " + size((full.Most-4<<20)/6)
		if m := full.Error(); test.never && m != err.Error()+body {
			t.Errorf("%s: %s, want also: %s", name, m, body)
		}
	}
}

// TestCanHold checks that CanHold accepts sizes that fit once all other requests have ended, and
// that it reserves nothing.
func TestCanHold(t *testing.T) {
	t.Parallel()
	m, b := newMachine(1000)
	must.Succeed(t, b.Reserve(600, 0))
	if err := b.CanHold(650); err != nil {
		t.Errorf("650 bytes beside 600 of another request: %v", err)
	}
	b.Release(600)
	m.later(time.Second, 100)
	for n, can := range map[int64]bool{550: true, 551: false} {
		if err := b.CanHold(n); (err == nil) != can {
			t.Errorf("%d bytes beside 100 that stay: %v", n, err)
		}
	}
	if used := b.Used(); used != 100 {
		t.Errorf("%d bytes are in use or promised, want 100", used)
	}
}
