package journal

import (
	"math"
	"testing"
)

// kept is what the bound of the events counts.
func kept(h *hub) (bytes int) {
	for i := range h.kept.n {
		bytes += cap(h.kept.at(i).Data) + eventBytes
	}
	return bytes
}

// TestEventsAreKeptToTheirBound fills the events by bytes and by number.
func TestEventsAreKeptToTheirBound(t *testing.T) {
	t.Parallel()
	const half = maxEventBytes / 2
	for _, test := range []struct {
		name    string
		sizes   []int
		entries int
	}{
		{"two that fill it", []int{half, half}, 2},
		{"two that are larger", []int{half, half + 1}, 1},
		{"small ones after large ones", append([]int{half, half}, smallEvents(maxEvents)...), maxEvents},
		{"large ones after small ones", append(smallEvents(2*maxEvents), half, half), 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(0)
			for _, size := range test.sizes {
				j.Publish(Event{Name: "pet.created", Data: make([]byte, size-eventBytes)})
			}
			if h := &j.hub; h.kept.n != test.entries || h.bytes != kept(h) || h.bytes > maxEventBytes {
				t.Errorf("%d events are kept, want %d; they hold %d bytes and are said to hold %d", h.kept.n, test.entries, kept(h), h.bytes)
			}
		})
	}
}

func smallEvents(n int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = eventBytes + 36
	}
	return sizes
}

// TestFilterTakesTheEndsOfItsRanges: the least and the greatest status and id.
func TestFilterTakesTheEndsOfItsRanges(t *testing.T) {
	t.Parallel()
	known := func(string) string { return "" }
	for _, f := range []Filter{{Status: new(0)}, {Status: new(599)}, {Since: 0}, {Since: math.MaxInt64}} {
		if problems := f.Check(known); len(problems) > 0 {
			t.Errorf("%+v: %v", f, problems)
		}
	}
	for _, f := range []Filter{{Status: new(-1)}, {Status: new(600)}, {Since: -1}} {
		if problems := f.Check(known); len(problems) != 1 {
			t.Errorf("%+v: %v", f, problems)
		}
	}
}
