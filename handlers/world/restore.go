package world

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/docker/go-units"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store/field"
)

// Restore loads a file written by [Keep] into a server that has not served any request yet. It
// reads line by line up to the first error, which includes the line number. A line with more than
// maxLine bytes is an error. After an error, the server must not be used.
func Restore(from io.Reader, r *registry.Registry, maxLine int64) error {
	k := &restorer{registry: r, in: bufio.NewReaderSize(from, 64<<10), maxLine: maxLine,
		bases: make(map[int64]sandbox.Baseline)}
	for k.end == 0 {
		text, err := k.next()
		if err == nil {
			err = k.line(text)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", k.n, err)
		}
	}
	if _, err := k.in.Peek(1); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: stands behind the end of the file", k.n+1)
	}
	return nil
}

// restorer reads the lines of a file.
type restorer struct {
	registry  *registry.Registry
	in        *bufio.Reader
	maxLine   int64
	n         int64 // number of the current line
	text      []byte
	at        time.Time
	generator string
	bases     map[int64]sandbox.Baseline
	templates []*sandbox.Sandbox
	end       int64
}

// next returns the next line. The line is valid until the next call.
func (k *restorer) next() ([]byte, error) {
	k.n++
	k.text = k.text[:0]
	for {
		part, err := k.in.ReadSlice('\n')
		if int64(len(k.text)+len(part)) > k.maxLine {
			return nil, fmt.Errorf("has more than %s, the most that --max-memory leaves for it; allow more",
				units.BytesSize(float64(k.maxLine)))
		}
		k.text = append(k.text, part...)
		switch {
		case err == nil:
			return k.text, nil
		case errors.Is(err, io.EOF):
			return nil, errors.New("the file ends here, and its rest is missing")
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// keptText is a parsed line; see keptLine.
type keptText struct {
	format, base, template, end, of             int64
	sandbox, current                            bool
	private, joined, unused, unclaimed, cleared bool
	generator, name, title, key                 string
	seed                                        uint64
	at, createdAt                               time.Time
	generated                                   *fixtures.Sizes
	data                                        jsontext.Value
}

var keptFields = field.Fields[keptText]{
	number("format", func(l *keptText) *int64 { return &l.format }),
	number("base", func(l *keptText) *int64 { return &l.base }),
	number("template", func(l *keptText) *int64 { return &l.template }),
	flag("sandbox", func(l *keptText) *bool { return &l.sandbox }),
	number("end", func(l *keptText) *int64 { return &l.end }),
	text("generator", func(l *keptText) *string { return &l.generator }),
	field.Optional("at", func(l *keptText) *time.Time { return &l.at }, field.Time, time.Time{}),
	field.Optional("seed", func(l *keptText) *uint64 { return &l.seed }, field.Unsigned, 0),
	field.Pointer("generated", func(l *keptText) **fixtures.Sizes { return &l.generated }, field.Nested(sizesFields)),
	text("name", func(l *keptText) *string { return &l.name }),
	text("title", func(l *keptText) *string { return &l.title }),
	field.Optional("createdAt", func(l *keptText) *time.Time { return &l.createdAt }, field.Time, time.Time{}),
	number("of", func(l *keptText) *int64 { return &l.of }),
	flag("current", func(l *keptText) *bool { return &l.current }),
	text("key", func(l *keptText) *string { return &l.key }),
	flag("private", func(l *keptText) *bool { return &l.private }),
	flag("joined", func(l *keptText) *bool { return &l.joined }),
	flag("unused", func(l *keptText) *bool { return &l.unused }),
	flag("unclaimed", func(l *keptText) *bool { return &l.unclaimed }),
	flag("cleared", func(l *keptText) *bool { return &l.cleared }),
	field.Custom("data", func(l *keptText, v jsontext.Value, _ *field.Reading) { l.data = v }),
}

func number(name string, at func(*keptText) *int64) field.Field[keptText] {
	return field.Optional(name, at, field.Integer(1, math.MaxInt32), 0)
}

func flag(name string, at func(*keptText) *bool) field.Field[keptText] {
	return field.Optional(name, at, field.Boolean, false)
}

func text(name string, at func(*keptText) *string) field.Field[keptText] {
	return field.Optional(name, at, field.AnyText, "")
}

// line processes one line, after reserving memory for it.
func (k *restorer) line(text []byte) error {
	promised := int64(0)
	spend := func(bytes int64) error {
		err := k.registry.Options.Memory.Reserve(bytes)
		if err == nil {
			promised += bytes
		}
		return err
	}
	defer func() { k.registry.Options.Memory.Release(promised) }()
	if err := spend(memory.ImportPerByte * int64(len(text))); err != nil {
		return err
	}
	var line keptText
	err := fixtures.ReadJSON(text, keptFields, &line, nil)
	switch {
	case k.n == 1:
		return k.first(&line, err)
	case err != nil:
		return err
	case line.base > 0:
		return k.baseline(&line)
	case line.template > 0, line.sandbox:
		if err := k.world(&line, spend); err != nil {
			return fmt.Errorf("sandbox %s: %w", field.Quote(line.name), err)
		}
		return nil
	case line.end != k.n:
		return fmt.Errorf("must be a baseline, a template, a sandbox, or the end of %d lines", k.n)
	}
	k.end = k.n
	return nil
}

// first processes the first line. It checks the format before it reports any other error, because a
// later format may change the other fields.
func (k *restorer) first(line *keptText, err error) error {
	switch {
	case line.format > KeepFormat:
		return fmt.Errorf("the format is %d, but this version of the program reads %d; use a newer one",
			line.format, KeepFormat)
	case err != nil:
		return err
	case line.format != KeepFormat:
		return fmt.Errorf("the first line must be {\"format\": %d, …}; this file was not written by --keep", KeepFormat)
	}
	k.at, k.generator = line.at, line.generator
	return nil
}

// baseline processes the line of a baseline. If the data was generated by this version of the
// generator, it comes from [sandbox.Sandbox.KnownBaseline]. Otherwise, or if that fails, it is read
// from the line.
func (k *restorer) baseline(line *keptText) error {
	b := sandbox.Baseline{Seed: line.seed}
	if line.generated != nil && k.generator == fixtures.Generator {
		known, err := k.registry.Default().KnownBaseline(line.seed, *line.generated)
		if err == nil {
			b = known
		}
	}
	if b.State == nil {
		var refused error
		fields := field.Fields[sandbox.Baseline]{
			field.Custom("data", func(b *sandbox.Baseline, v jsontext.Value, in *field.Reading) {
				b.State, refused = fixtures.ReadState(v, in)
			}).Demanded(),
		}
		data := bytes.Join([][]byte{[]byte(`{"data":`), line.data, []byte("}")}, nil)
		if err := cmp.Or(fixtures.ReadJSON(data, fields, &b, nil), refused); err != nil {
			return err
		}
		b.State = k.registry.Default().KnownState(b.State)
	}
	k.bases[line.base] = b
	return nil
}

// world processes the line of a sandbox or a template.
func (k *restorer) world(line *keptText, spend func(bytes int64) error) error {
	kept := registry.Kept{
		Name: sandbox.Name{Canonical: line.name, Title: line.title}, Created: line.createdAt,
		Private: line.private, Joined: line.joined, Unused: line.unused, Unclaimed: line.unclaimed,
		Cleared: line.cleared,
	}
	if line.key != "" {
		kept.Key = new(registry.Digest)
		if n, err := hex.Decode(kept.Key[:], []byte(line.key)); err != nil || n != len(kept.Key) ||
			len(line.key) != hex.EncodedLen(n) {
			return errors.New("key: must be a SHA-256 in hexadecimal")
		}
	}
	if kept.Private && kept.Key == nil {
		return errors.New("private: needs a key")
	}
	last := int64(len(k.templates))
	if line.of > last && line.of != line.template || line.template > 0 && line.template != last+1 {
		return fmt.Errorf("there is no template %d before it", max(line.of, line.template-1))
	}
	if line.of > 0 && line.of <= last {
		kept.Template = k.templates[line.of-1]
	}
	w, err := k.read(line.data, spend)
	if err != nil {
		return err
	}
	if line.sandbox {
		return k.registry.Restore(&kept, w)
	}
	template, err := k.registry.RestoreTemplate(&kept, line.of == 0, w)
	if err != nil {
		return err
	}
	k.templates = append(k.templates, template)
	if line.current {
		k.registry.UseTemplate(template)
	}
	return nil
}

// read parses a world. Unless the clock is frozen, read advances it by the time since the file was
// written.
func (k *restorer) read(data []byte, spend func(bytes int64) error) (*sandbox.NewWorld, error) {
	w, err := read(data, k.registry.Default().Sandbox, spend, k.bases)
	if err != nil {
		return nil, err
	}
	if w.Now != nil && !w.Frozen {
		moved := w.Now.Add(k.registry.Now().Sub(k.at))
		w.Now = &moved
	}
	w.Trusted = true // the file may have two copies of data that the server shared in memory
	return w, nil
}
