package memory

import (
	"errors"
	"testing"
	"time"
)

// TestRefusalsSayHowMuch wants a refusal to say what was asked for and what there was, and
// whether there can ever be room.
func TestRefusalsSayHowMuch(t *testing.T) {
	t.Parallel()
	m, b := newMachine(1000 << 10) // of which 650 KiB may be in use
	m.later(time.Second, 640<<10)
	m.collect()
	m.later(time.Second, 640<<10)
	for _, test := range []struct {
		needs int64
		never bool
		want  string
	}{
		{100 << 10, false, "the server has no memory left for this request: it may need 100KiB, and 10KiB of 650KiB are free"},
		{651 << 10, true, "this request may need 651KiB of memory, more than the 650KiB that the server has for all of them"},
	} {
		err := b.Reserve(test.needs)
		full, ok := errors.AsType[Full](err)
		if !ok || !errors.Is(err, ErrFull) || full.Never() != test.never || err.Error() != test.want {
			t.Errorf("Reserve(%d) = %v, never: %t; want %q, %t", test.needs, err, full.Never(), test.want, test.never)
		}
	}
}
