package world

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// KeepFormat is the version of the format that [Keep] writes. [Restore] rejects other versions.
const KeepFormat = 1

// File is a file that [Keep] can write to. It must be empty.
type File interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// Keep writes the worlds of all sandboxes and templates of a server, one per line, for [Restore].
// It writes a shared baseline once. Some worlds may lack changes that are made while Keep runs.
//
// A line has at most maxLine bytes, so that no client can make the server write a file that it
// cannot read back. Keep leaves out a sandbox or template if its line or the line of its baseline
// would be longer, and returns the names of those left out in left. It returns an error only if
// writing to the file fails.
func Keep(to File, r *registry.Registry, maxLine int64) (left []string, err error) {
	k := &keeper{
		registry: r, file: to, to: bufio.NewWriterSize(to, 64<<10), maxLine: maxLine,
		bases: make(map[baseline]int64), templates: make(map[*sandbox.Sandbox]int64), world: newWriter(nil, ""),
	}
	all := r.Contents()
	k.line(keptLine{Format: KeepFormat, Generator: fixtures.Generator, At: r.Now(), Door: all.Door})
	for _, template := range all.Templates {
		number := int64(len(k.templates) + 1)
		line := keptLine{Template: number, Of: number, Current: template == all.Template}
		if capturedAs := template.Template(); capturedAs != template {
			line.Of = k.templates[capturedAs] // 0 for the origin
		}
		entry := &registry.Entry{Sandbox: template}
		entry.Claim() // a template is never evicted
		if k.sandbox(&line, registry.Member{Entry: entry}) {
			k.templates[template] = number
		}
	}
	for _, sb := range all.Sandboxes {
		k.sandbox(&keptLine{Sandbox: true, Of: k.templates[sb.Template]}, sb)
	}
	k.line(keptLine{End: k.lines + 1})
	return k.left, cmp.Or(k.to.Flush(), k.err) // the file's error, before k.err, which may wrap it
}

// keptLine is a line of the file. The first five fields determine its type: exactly one of them is
// set.
type keptLine struct {
	Format   int64 `json:"format,omitzero"`   // first line
	Base     int64 `json:"base,omitzero"`     // on the line of a baseline, the baseline's number
	Template int64 `json:"template,omitzero"` // on the line of a template, the template's number
	Sandbox  bool  `json:"sandbox,omitzero"`
	End      int64 `json:"end,omitzero"` // last line: the number of lines

	Generator string          `json:"generator,omitzero"` // version of the fake data generator
	At        time.Time       `json:"at,omitzero"`        // when the file was written, by the machine's clock
	Door      *registry.Door  `json:"door,omitzero"`      // nil if there is no workshop
	Seed      uint64          `json:"seed,omitzero"`
	Generated *fixtures.Sizes `json:"generated,omitzero"` // sizes of a generated baseline

	registry.Kept
	// On the line of a sandbox, Of is the number of its template. On the line of a template, Of is
	// the number of the template as it was captured, which is Template itself if there were no
	// changes since. 0 means the origin.
	Of      int64 `json:"of,omitzero"`
	Current bool  `json:"current,omitzero"` // whether new sandboxes get this template

	// Data is the state of a baseline, or the world of a template or sandbox. It must be the last
	// field of a line, because the keeper writes it after the others, without holding it in memory.
	Data jsontext.Value `json:"data,omitzero"`
}

// baseline is the key of a baseline in keeper.bases.
type baseline struct {
	state *store.State
	seed  uint64
}

// keeper writes the lines of a file. After an error, it writes nothing more.
type keeper struct {
	registry  *registry.Registry
	file      File
	to        *bufio.Writer
	maxLine   int64 // maximum line length in bytes
	begin     int64 // offset of the current line
	written   int64 // bytes written, including the current line
	lines     int64
	left      []string           // names of the sandboxes and templates left out
	bases     map[baseline]int64 // number of each baseline, or tooLong
	templates map[*sandbox.Sandbox]int64
	world     writer // reused for each world
	err       error
}

// tooLong replaces the number of a baseline that was left out.
const tooLong = -1

var errTooLong = errors.New("the line is too long")

// Write writes a part of a line. It returns errTooLong if the line becomes too long.
func (k *keeper) Write(part []byte) (int, error) {
	if k.written += int64(len(part)); k.written-k.begin > k.maxLine {
		return 0, errTooLong
	}
	return k.to.Write(part)
}

// line writes a line. data, if given, writes the value of [keptLine.Data]. If the line becomes too
// long, the method removes it. The method reports whether the line is in the file.
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
			err = write(k)
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

// rewind removes the part of the current line that has been written.
func (k *keeper) rewind() {
	k.written = k.begin
	if k.err = k.to.Flush(); k.err == nil {
		k.err = k.file.Truncate(k.begin)
	}
	if k.err == nil {
		_, k.err = k.file.Seek(k.begin, io.SeekStart)
	}
}

// sandbox writes a sandbox or template. It first writes the baseline if the file does not have it
// yet. It reports whether the file has both.
func (k *keeper) sandbox(line *keptLine, sb registry.Member) bool {
	var world sandbox.World
	line.Kept, world = k.registry.Keep(sb)
	base := k.baseline(&world.Baseline)
	if base != tooLong && k.line(*line, func(to io.Writer) error {
		k.world.Reset(to) // a line that was too long may have left data in the buffer
		k.world.Err = nil
		return k.world.writeKept(sb.Sandbox, &world, base)
	}) {
		return true
	}
	if k.err == nil {
		k.left = append(k.left, line.Canonical)
	}
	return false
}

// baseline returns the number of a baseline, or tooLong. It writes the baseline if the file does
// not have it yet. If the line of a generated baseline would be too long, it writes only the seed
// and sizes.
func (k *keeper) baseline(b *sandbox.Baseline) int64 {
	key := baseline{b.State, b.Seed}
	if k.bases[key] == 0 {
		line := keptLine{Base: int64(len(k.bases) + 1), Seed: b.Seed, Generated: b.Sizes}
		k.bases[key] = line.Base
		written := k.line(line, func(to io.Writer) error { return fixtures.WriteState(to, b.State, "") })
		if !written && (b.Sizes == nil || !k.line(line)) {
			k.bases[key] = tooLong
		}
	}
	return k.bases[key]
}

// writeKept writes a world whose baseline has the number base in the file. It omits a clock that
// shows the machine's time. It also omits unchanged lifecycles and the fault rules from the
// server's flags, because a server that restores the file uses its own lifecycles and flags.
func (w writer) writeKept(sb *sandbox.Sandbox, world *sandbox.World, base int64) error {
	fmt.Fprintf(w, "{\"format\": %d", Format)
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
	list(w, "faults", slices.Values(world.Faults.Rules))
	w.part("nextFault", world.Faults.Next)
	w.WriteString(",  \"state\": ")
	w.Note(fixtures.WriteDifference(w.Writer, world.State, world.Baseline.State, ""))
	w.snapshots(world)
	w.WriteString("}")
	return w.Finish()
}
