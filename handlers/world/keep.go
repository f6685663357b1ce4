package world

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// KeepFormat is the version of the format of [Keep]. Later versions are refused.
const KeepFormat = 1

// File is the file that [Keep] overwrites from its start.
type File interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// Keep writes the worlds of all sandboxes and templates of a server, one per line, for [Restore]. A
// baseline that several of them share is written once. Writes that happen meanwhile may appear in
// some worlds only.
//
// A line has at most most bytes, so that no client can make a file that no server can read. Keep
// leaves out sandboxes with longer lines and returns their names. The error is the file's.
func Keep(to File, r *registry.Registry, most int64) (left []string, err error) {
	k := &keeper{
		registry: r, file: to, to: bufio.NewWriterSize(to, 64<<10), most: most,
		bases: make(map[baseline]int), templates: make(map[*sandbox.Sandbox]int),
	}
	all := r.Inventory()
	k.line(keptLine{Format: KeepFormat, Generator: fixtures.Generator, At: r.Now()})
	for _, template := range all.Templates {
		number := len(k.templates) + 1
		line := keptLine{Template: number, Current: template == all.Template}
		if takenAs := r.TakenAs(template); takenAs != nil {
			line.Of = k.templates[takenAs]
		}
		if k.sandbox(&line, &registry.Stocked{Entry: &registry.Entry{Sandbox: template}}) {
			k.templates[template] = number
		}
	}
	for i := range all.Sandboxes {
		sb := &all.Sandboxes[i]
		k.sandbox(&keptLine{Sandbox: true, Of: k.templates[sb.Template]}, sb)
	}
	k.line(keptLine{End: k.lines + 1})
	if k.err == nil {
		k.err = k.to.Flush()
	}
	return k.left, k.err
}

// keptLine is a line of the file. Which of the first five fields is set gives its type.
type keptLine struct {
	Format   int  `json:"format,omitzero"`   // first line
	Base     int  `json:"base,omitzero"`     // baseline: its number
	Template int  `json:"template,omitzero"` // template: its number
	Sandbox  bool `json:"sandbox,omitzero"`
	End      int  `json:"end,omitzero"` // last line: the number of lines

	Generator string          `json:"generator,omitzero"` // identifies the generator of fake data
	At        time.Time       `json:"at,omitzero"`        // when the file was written, by the machine's clock
	Seed      uint64          `json:"seed,omitzero"`
	Generated *fixtures.Sizes `json:"generated,omitzero"` // the sizes of a generated baseline

	Name      string    `json:"name,omitzero"`
	Title     string    `json:"title,omitzero"`
	CreatedAt time.Time `json:"createdAt,omitzero"`
	Of        int       `json:"of,omitzero"` // the number of the sandbox's template; 0 is the server's own
	Current   bool      `json:"current,omitzero"`
	Key       string    `json:"key,omitzero"` // digest, in hexadecimal
	Private   bool      `json:"private,omitzero"`
	Joined    bool      `json:"joined,omitzero"`
	Unused    bool      `json:"unused,omitzero"`
	Unclaimed bool      `json:"unclaimed,omitzero"`
	Cleared   bool      `json:"cleared,omitzero"`

	// Data is a state (of a baseline) or a world (of a template or sandbox). It is the last field
	// of the line.
	Data jsontext.Value `json:"data,omitzero"`
}

// baseline is the identity of a baseline.
type baseline struct {
	state *store.State
	seed  uint64
}

// keeper writes lines. After an error it writes nothing.
type keeper struct {
	registry  *registry.Registry
	file      File
	to        *bufio.Writer
	most      int64 // most bytes per line
	begin     int64 // offset of the current line
	written   int64 // bytes written, including the current line
	lines     int
	left      []string         // names of sandboxes that were too long
	bases     map[baseline]int // numbers; tooLong if left out
	templates map[*sandbox.Sandbox]int
	world     writer // reused for each world
	err       error
}

// tooLong marks a baseline that was left out.
const tooLong = -1

var errTooLong = errors.New("the line is too long")

// Write writes a part of a line. The error may be errTooLong.
func (k *keeper) Write(part []byte) (int, error) {
	if k.written += int64(len(part)); k.written-k.begin > k.most {
		return 0, errTooLong
	}
	return k.to.Write(part)
}

// line writes a line. The data functions, if any, write the value of its last field. It reports
// whether the line is in the file; a line that is too long is removed again.
func (k *keeper) line(line keptLine, data ...func(to io.Writer) error) bool {
	if k.err != nil {
		return false
	}
	k.begin = k.written
	text, err := json.Marshal(line)
	if err == nil {
		_, err = k.Write(bytes.TrimSuffix(text, []byte("}")))
	}
	for _, write := range data {
		if err == nil {
			_, err = io.WriteString(k, `,"data":`)
		}
		if err == nil {
			err = write(&oneLine{to: k})
		}
	}
	if err == nil {
		_, err = io.WriteString(k, "}\n")
	}
	switch {
	case err == nil:
		k.lines++
		return true
	case errors.Is(err, errTooLong):
		k.rewind()
	default:
		k.err = err
	}
	return false
}

// rewind removes what has been written of the line.
func (k *keeper) rewind() {
	k.written = k.begin
	if k.err = k.to.Flush(); k.err == nil {
		k.err = k.file.Truncate(k.begin)
	}
	if k.err == nil {
		_, k.err = k.file.Seek(k.begin, io.SeekStart)
	}
}

// sandbox writes a sandbox or template, preceded by its baseline unless that is in the file. It
// reports whether both are in the file.
func (k *keeper) sandbox(line *keptLine, sb *registry.Stocked) bool {
	kept, world := k.registry.Keep(sb)
	base := k.baseline(&world.Baseline)
	line.Name, line.Title, line.CreatedAt = kept.Canonical, kept.Title, kept.Created
	if kept.Key != nil {
		line.Key, line.Private = hex.EncodeToString(kept.Key[:]), kept.Private
	}
	line.Joined, line.Unused, line.Unclaimed, line.Cleared = kept.Joined, kept.Unused, kept.Unclaimed, kept.Cleared
	if base != tooLong && k.line(*line, func(to io.Writer) error {
		k.world.Reset() // the line before may have been too long
		k.world.to, k.world.err = to, nil
		return k.world.writeKept(sb.Sandbox, &world, base)
	}) {
		return true
	}
	if k.err == nil {
		k.left = append(k.left, kept.Canonical)
	}
	return false
}

// baseline returns the number of a baseline, after writing it if necessary. If a generated one is
// too long, only its seed and sizes are written.
func (k *keeper) baseline(b *sandbox.Baseline) int {
	key := baseline{b.State, b.Seed}
	if k.bases[key] == 0 {
		line := keptLine{Base: len(k.bases) + 1, Seed: b.Seed, Generated: b.Sizes}
		k.bases[key] = line.Base
		written := k.line(line, func(to io.Writer) error { return fixtures.WriteState(to, b.State, "") })
		if !written && (b.Sizes == nil || !k.line(line)) {
			k.bases[key] = tooLong
		}
	}
	return k.bases[key]
}

// writeKept writes a world over a baseline in the file. It omits what is as the server's flags set
// it (an unset clock, unchanged lifecycles and fault rules), so that those follow the flags of the
// next server.
func (w *writer) writeKept(sb *sandbox.Sandbox, world *sandbox.World, base int) error {
	w.text("{\"format\": %d", Format)
	w.part("base", base)
	w.part("draw", world.Draw)
	if world.Clock.Frozen || world.Clock.Offset != 0 {
		w.part("clock", clock{world.Clock.Now, world.Clock.Frozen})
	}
	for id := range world.Lifecycles {
		if sb.Lifecycles.Changed(id) == nil {
			delete(world.Lifecycles, id)
		}
	}
	w.operations(sb, world)
	list(w, "faults", pointers(world.Faults.Rules))
	w.part("nextFault", world.Faults.Next)
	w.text(",\n  \"state\": ")
	w.state(func() error { return fixtures.WriteDifference(w.to, world.State, world.Baseline.State, "") })
	w.snapshots(world)
	w.text("}")
	w.flush()
	return w.err
}

// oneLine removes newlines and indentation from JSON. JSON strings contain no literal newlines.
type oneLine struct {
	to     io.Writer
	indent bool // indentation comes next
}

// Write writes a part of a JSON text.
func (o *oneLine) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0; {
		if o.indent {
			rest = bytes.TrimLeft(rest, " ")
			o.indent = len(rest) == 0
		}
		line, after, newline := bytes.Cut(rest, []byte("\n"))
		if _, err := o.to.Write(line); err != nil {
			return 0, err
		}
		rest = after
		o.indent = o.indent || newline
	}
	return len(text), nil
}
