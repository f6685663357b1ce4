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
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// KeepFormat is the version of the format of [Keep]. Files of a later one are refused.
const KeepFormat = 1

// File is what [Keep] writes to, from its beginning.
type File interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// Keep writes the worlds of all sandboxes and templates of a server, one after the other and
// each as a line, as [Restore] reads them. A baseline that several have is written once. What
// goes on meanwhile may be in one world and not in another.
//
// A line has at most so many bytes, so that a client cannot make a file that no server can
// read. A sandbox whose line would be longer is left out, and Keep returns its name. The
// error is the file's.
func Keep(to File, r *sandbox.Registry, most int64) (left []string, err error) {
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
		if k.sandbox(&line, &sandbox.Stocked{Sandbox: template}) {
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

// keptLine is a line of the file. One of the first five fields says what the line is.
type keptLine struct {
	Format   int  `json:"format,omitzero"`   // the first line
	Base     int  `json:"base,omitzero"`     // a baseline: its number
	Template int  `json:"template,omitzero"` // a template: its number
	Sandbox  bool `json:"sandbox,omitzero"`
	End      int  `json:"end,omitzero"` // the last line: how many lines there are

	Generator string          `json:"generator,omitzero"` // of the fakes of this program
	At        time.Time       `json:"at,omitzero"`        // when the file was written, by the machine's time
	Seed      uint64          `json:"seed,omitzero"`
	Generated *fixtures.Sizes `json:"generated,omitzero"` // what made the fakes of the baseline

	Name      string    `json:"name,omitzero"`
	Title     string    `json:"title,omitzero"`
	CreatedAt time.Time `json:"createdAt,omitzero"`
	Of        int       `json:"of,omitzero"` // the number of its template, or of that which was taken; 0: as servers start
	Current   bool      `json:"current,omitzero"`
	Key       string    `json:"key,omitzero"` // the digest, in hexadecimal
	Private   bool      `json:"private,omitzero"`
	Joined    bool      `json:"joined,omitzero"`
	Unused    bool      `json:"unused,omitzero"`
	Unclaimed bool      `json:"unclaimed,omitzero"`
	Cleared   bool      `json:"cleared,omitzero"`

	// Data is a whole state (baseline) or a world (template, sandbox), the last field of the line.
	Data jsontext.Value `json:"data,omitzero"`
}

// baseline tells baselines apart.
type baseline struct {
	state *store.State
	seed  uint64
}

// keeper writes lines until the first error.
type keeper struct {
	registry  *sandbox.Registry
	file      File
	to        *bufio.Writer
	most      int64 // bytes of a line
	begin     int64 // bytes before the line that is written
	written   int64 // bytes, those of that line included
	lines     int
	left      []string         // names of sandboxes that are too long
	bases     map[baseline]int // 0: not written yet; tooLong: left out
	templates map[*sandbox.Sandbox]int
	world     writer // used again for each
	err       error
}

// tooLong is the number of a baseline that is left out.
const tooLong = -1

var errTooLong = errors.New("the line is too long")

// Write writes a part of a line. The error may be errTooLong.
func (k *keeper) Write(part []byte) (int, error) {
	if k.written += int64(len(part)); k.written-k.begin > k.most {
		return 0, errTooLong
	}
	return k.to.Write(part)
}

// line writes a line, which data, if there is any, completes. It reports whether the line is
// in the file. One that is too long is not.
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

// sandbox writes a sandbox or a template, and before it its baseline, unless that is there. It
// reports whether both are in the file.
func (k *keeper) sandbox(line *keptLine, sb *sandbox.Stocked) bool {
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

// baseline returns the number of a baseline, which it writes first unless it is there. Of a
// generated one that is too long only the seed and the sizes are written.
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

// writeKept writes a world over a baseline that is in the file by its number. The world says
// nothing of what is as the server has it: a clock that was not set, and lifecycles and fault
// rules that were not changed, so that those follow the flags of the next server.
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

// oneLine drops the newlines of JSON and the indents behind them. In the texts of JSON no
// newline stands as it is.
type oneLine struct {
	to     io.Writer
	indent bool // whether what comes next is an indent
}

// Write writes JSON, or a part of it.
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
