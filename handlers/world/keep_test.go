package world_test

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/world"
)

// TestKeptLinesAreBounded checks a sandbox, a template and a baseline that are too long for a
// line.
func TestKeptLinesAreBounded(t *testing.T) {
	t.Parallel()
	r := server(t, 1, evening, 100)
	made(t, r, "small", registry.CreateOptions{})
	large := made(t, r, "large", registry.CreateOptions{})
	for i := range 100 {
		create(t, large, strings.Repeat(string(rune('a'+i%26)), 250))
	}
	whole, left := keepLines(t, r, 1<<20)
	if len(left) > 0 {
		t.Fatalf("%q are left out of lines of 1 MiB", left)
	}
	const most = 16 << 10
	text, left := keepLines(t, r, most)
	if !slices.Equal(left, []string{"large"}) {
		t.Errorf("%q are left out, want large:\n%.3000s", left, text)
	}
	for line := range strings.Lines(text) {
		if len(line) > most {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
	if len(text) >= len(whole) {
		t.Errorf("%d of %d bytes are written", len(text), len(whole))
	}
	again := restored(t, text, server(t, 1, evening, 100))
	if _, err := again.Find("small"); err != nil {
		t.Error(err)
	}
	if _, err := again.Find("large"); err == nil {
		t.Error("large is there")
	}
	// The fake data of the baseline does not fit either, and is generated again.
	if text, left := keepLines(t, r, 400); !slices.Equal(left, []string{"large"}) {
		t.Errorf("%q are left out, want large", left)
	} else {
		restored(t, text, server(t, 1, evening, 100))
	}
}

// TestKeep checks that a restored server writes the same file again, whatever data it would have
// started with.
func TestKeep(t *testing.T) {
	t.Parallel()
	text := keep(t, busy(t))
	for _, seed := range []uint64{7, 8} {
		again := restored(t, text, server(t, seed, evening, 100))
		if got := keep(t, again); got != text {
			t.Errorf("seed %d: kept again it is\n%s\nwas\n%s", seed, got, text)
		}
	}
	if n := strings.Count(text, `{"base":`); n != 2 {
		t.Errorf("%d baselines are written, want each once:\n%s", n, text)
	}
	if n := strings.Count(text, `{"template":`); n != 3 {
		t.Errorf("%d templates are written, want each once:\n%s", n, text)
	}
	if strings.Contains(text, "adas") || strings.Contains(text, "bobs") {
		t.Errorf("a key is in it:\n%s", text)
	}
}

// TestKeepFails checks that Keep returns the writer's error.
func TestKeepFails(t *testing.T) {
	t.Parallel()
	r := busy(t)
	var large []string // more than the buffers hold
	for id := range 500 {
		large = append(large, fmt.Sprintf(`{"id": %d, "name": %q}`, id+1, strings.Repeat("x", 255)))
	}
	sb := r.Default().Sandbox
	must.Succeed(t, sb.Load(must.Get(world.Read([]byte(`{"format": 1, "baseline": {}, "state": {"categories": [`+
		strings.Join(large, ",")+`]}}`), sb, nil))(t)))
	size := len(keep(t, r))
	for most := 0; most < size; most += 5001 {
		if _, err := world.Keep(&full{room: most}, r, 1<<20); err != errDisk {
			t.Fatalf("after %d bytes: %v", most, err)
		}
	}
}

var errDisk = fmt.Errorf("no space left: %w", io.ErrShortWrite)

type full struct {
	memoryFile
	room int
}

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

// TestLargestCounts checks that a server reads what it has written after a file or a client set the largest counts, and
// a count larger than the rule's times.
func TestLargestCounts(t *testing.T) {
	t.Parallel()
	r := server(t, 7, evening, 100)
	sb := r.Default().Sandbox
	w := must.Get(world.Read([]byte(`{"format": 1, "baseline": {}, "state": {}, "draw": 9007199254740991,
		"faults": [{"id": 9007199254740991, "applied": 9223372036854775807, "status": 503}],
		"nextFault": 9007199254740991}`), sb, nil))(t)
	must.Succeed(t, sb.Load(w))
	for range 2 {
		draws := sb.Draw()
		sb.Faults.Decide(&fault.Call{}, &draws)
	}
	must.Get(sb.Faults.Replace(append(sb.Faults.List(), fault.Rule{ID: 1, Times: new(1), Applied: 2},
		fault.Rule{ID: 2, Applied: math.MaxInt64}), 0))(t)
	draws := sb.Draw()
	sb.Faults.Decide(&fault.Call{}, &draws)
	restored(t, keep(t, r), server(t, 7, evening, 100))
}
