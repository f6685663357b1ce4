package world

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// Format is the version of the world file format. [Read] rejects other versions.
const Format = 1

// Write writes the contents of the sandbox and its journal. A generated baseline is written as its
// seed and sizes, unless data is true. Equal worlds give equal files. If reserve is not nil, Write
// first calls it with the size, in bytes, of a copy of the journal. The error comes from reserve or
// from writing.
func Write(to io.Writer, sb *sandbox.Sandbox, data bool, reserve func(bytes int64) error) error {
	world := sb.World()
	requests, err := sb.Journal.Select(journal.Filter{}, math.MaxInt, false, reserve)
	if err != nil {
		return err
	}
	w := newWriter(to, "\n")
	fmt.Fprintf(w, "{\n  \"format\": %d", Format)
	generated := world.Baseline.Sizes != nil && !data
	if generated {
		w.part("generator", fixtures.Generator)
	}
	w.part("seed", world.Baseline.Seed)
	w.part("draw", world.Draw)
	w.part("clock", clock{world.Clock.Now, world.Clock.Frozen})
	w.operations(sb, &world)
	list(w, "faults", slices.Values(world.Faults.Rules))
	if len(world.Faults.Base) > 0 {
		list(w, "serverFaults", slices.Values(world.Faults.Base))
	}
	w.part("nextFault", world.Faults.Next)
	if generated {
		w.part("generated", world.Baseline.Sizes)
	} else {
		w.WriteString(",\n  \"baseline\": ")
		w.Note(fixtures.WriteState(w.Writer, world.Baseline.State, "\n  "))
	}
	w.WriteString(",\n  \"state\": ")
	w.Note(fixtures.WriteDifference(w.Writer, world.State, world.Baseline.State, "\n  "))
	w.snapshots(&world)
	list(w, "journal", requests.Entries())
	w.WriteString("\n}\n")
	return w.Finish()
}

// clock is a sandbox's clock in the file.
type clock struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
}

// savedLifecycle returns an operation's lifecycle as in the file. It has every field that applies, so
// that an import does not depend on the defaults of the importing server.
func savedLifecycle(l *lifecycle.Lifecycle) lifecycle.Change {
	saved := lifecycle.PatchOf(*l)
	if !l.Deprecated {
		saved.DeprecatedSince, saved.Sunset, saved.Successor, saved.Brownout = nil, nil, nil, nil
	}
	return saved
}

// writer writes a world.
type writer struct{ *fixtures.Lines }

func newWriter(to io.Writer, newLine string) writer {
	return writer{fixtures.NewLines(to, newLine, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))}
}

// part writes a field on one line.
func (w writer) part(name string, v any) {
	fmt.Fprintf(w, ",%s  %q: ", w.NewLine, name)
	w.Value(v)
}

// list writes an array, one element per line.
func list[T any](w writer, name string, elements iter.Seq[T]) {
	fmt.Fprintf(w, ",%s  %q: [", w.NewLine, name)
	separator := ""
	for element := range elements {
		fmt.Fprintf(w, "%s%s    ", separator, w.NewLine)
		w.Value(element)
		separator = ","
		if w.Err != nil {
			return
		}
	}
	if separator != "" {
		w.Line("  ")
	}
	w.WriteString("]")
}

// operations writes the lifecycles in the order of the OpenAPI document.
func (w writer) operations(sb *sandbox.Sandbox, world *sandbox.World) {
	fmt.Fprintf(w, ",%s  \"operations\": {", w.NewLine)
	separator := ""
	for _, op := range sb.Lifecycles.Operations {
		if l, ok := world.Lifecycles[op.ID]; ok {
			fmt.Fprintf(w, "%s%s    %q: ", separator, w.NewLine, op.ID)
			w.Value(savedLifecycle(l))
			separator = ","
		}
	}
	if separator != "" {
		w.Line("  ")
	}
	w.WriteString("}")
}

// snapshots writes the newest snapshot as its difference from the current state, and each older one
// as its difference from the next newer one.
func (w writer) snapshots(world *sandbox.World) {
	fmt.Fprintf(w, ",%s  \"snapshots\": [", w.NewLine)
	from := world.State
	for i, s := range world.Snapshots {
		if i > 0 {
			w.WriteString(",")
		}
		fmt.Fprintf(w, "%s    {\"name\": %q, \"createdAt\": ", w.NewLine, s.Name)
		w.Value(s.Created)
		w.WriteString(", \"state\": ")
		w.Note(fixtures.WriteDifference(w.Writer, s.State, from, w.NewLine+"    "))
		w.WriteString("}")
		from = s.State
	}
	if len(world.Snapshots) > 0 {
		w.Line("  ")
	}
	w.WriteString("]")
}
