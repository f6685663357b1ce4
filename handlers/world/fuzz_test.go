package world_test

import (
	"bytes"
	"errors"
	"testing"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

func written(t testing.TB, sb *sandbox.Sandbox) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, world.Write(&b, sb, false, nil))
	return b.Bytes()
}

// FuzzRead reads files. A valid file is written from the sandbox that read it, and reading that
// again writes the same. An invalid file returns its problems or reports an exceeded limit.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"format": 1, "baseline": {}, "state": {}}`,
		`{"format": 1, "generator": "` + fixtures.Generator +
			`", "generated": {"pets": 3, "categories": 2, "orders": 2}, "draw": 7, "seed": 1, "state": {}}`,
		`{"format": 1, "clock": {"now": "2031-01-01T00:00:00Z", "frozen": true}, "operations": {"listPets": {"deprecated": true, "sunset": "2030-01-01", "deprecatedSince": "2026-01-01"}},
			"faults": [{"id": 4, "times": 2, "applied": 1, "status": 503}], "serverFaults": [{"delay": {"fixedMs": 1}}], "nextFault": 9,
			"baseline": {"categories": [{"id": 1, "name": "a"}], "pets": [{"id": 1, "name": "b", "categoryId": 1}], "next": {"pet": 5}},
			"state": {"removed": {"pets": [1], "categories": [1]}, "orders": [{"id": 1, "petId": 4}], "next": {"pet": 5}},
			"snapshots": [{"name": "x", "createdAt": "2026-01-01T00:00:00Z", "state": {"inventory": []}}, {"name": "y", "createdAt": "2026-01-01T00:00:00Z",
			"state": {"messages": [{"id": 1, "message": "c", "createdAt": "2026-01-01T00:00:00Z"}], "removed": {"orders": [1]}}}], "journal": [{}]}`,
		`{"format": 2}`, `[]`, ``,
	} {
		f.Add([]byte(seed))
	}
	r := server(f, 1, evening, 10)
	f.Fuzz(func(t *testing.T, data []byte) {
		sb := r.Default().Sandbox
		read, err := world.Read(data, sb, nil)
		if err == nil {
			err = sb.Load(read)
		}
		if err != nil {
			wantReason(t, err)
			return
		}
		text := written(t, sb)
		again := server(t, 1, evening, 10).Default().Sandbox
		if read, err = world.Read(text, again, nil); err == nil {
			err = again.Load(read)
		}
		if err != nil {
			t.Fatalf("Read refuses the written world: %v\n%s", err, text)
		}
		if got := written(t, again); !bytes.Equal(got, text) {
			t.Fatalf("written again it is\n%s\nwas\n%s", got, text)
		}
	})
}

// wantReason checks that an error describes the problem.
func wantReason(t *testing.T, err error) {
	t.Helper()
	if problems, ok := errors.AsType[fixtures.Problems](err); ok && len(problems) > 0 && len(problems) <= 101 {
		return
	}
	if _, ok := errors.AsType[*store.Error](err); ok || errors.Is(err, sandbox.ErrSnapshotFull) ||
		errors.Is(err, memory.ErrFull) {
		return
	}
	t.Fatalf("the error is %v", err)
}

// TestReadIgnoresAByteOrderMark reads a world as some editors save it.
func TestReadIgnoresAByteOrderMark(t *testing.T) {
	t.Parallel()
	sb := server(t, 1, evening, 10).Default().Sandbox
	text := string(written(t, sb))
	if _, err := world.Read([]byte("\ufeff"+text), sb, nil); err != nil {
		t.Error(err)
	}
	if _, err := world.Read([]byte("\ufeff\ufeff"+text), sb, nil); err == nil {
		t.Error("a second one is ignored too")
	}
}
