package world

import (
	"bufio"
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

var keptFields = field.Fields[keptLine]{
	number("format", func(l *keptLine) *int64 { return &l.Format }),
	number("base", func(l *keptLine) *int64 { return &l.Base }),
	number("template", func(l *keptLine) *int64 { return &l.Template }),
	flag("sandbox", func(l *keptLine) *bool { return &l.Sandbox }),
	number("end", func(l *keptLine) *int64 { return &l.End }),
	text("generator", func(l *keptLine) *string { return &l.Generator }),
	field.Optional("at", func(l *keptLine) *time.Time { return &l.At }, field.Time, time.Time{}),
	field.Optional("seed", func(l *keptLine) *uint64 { return &l.Seed }, field.Unsigned, 0),
	field.Pointer("generated", func(l *keptLine) **fixtures.Sizes { return &l.Generated }, field.Nested(sizesFields)),
	text("name", func(l *keptLine) *string { return &l.Canonical }),
	text("title", func(l *keptLine) *string { return &l.Title }),
	field.Optional("createdAt", func(l *keptLine) *time.Time { return &l.Created }, field.Time, time.Time{}),
	number("of", func(l *keptLine) *int64 { return &l.Of }),
	flag("current", func(l *keptLine) *bool { return &l.Current }),
	field.Pointer("key", func(l *keptLine) **registry.Digest { return &l.Key }, digest),
	flag("private", func(l *keptLine) *bool { return &l.Private }),
	flag("joined", func(l *keptLine) *bool { return &l.Joined }),
	flag("unused", func(l *keptLine) *bool { return &l.Unused }),
	flag("unclaimed", func(l *keptLine) *bool { return &l.Unclaimed }),
	flag("cleared", func(l *keptLine) *bool { return &l.Cleared }),
	field.Custom("data", func(l *keptLine, v jsontext.Value, _ *field.Reading) { l.Data = v }),
}

func number(name string, at func(*keptLine) *int64) field.Field[keptLine] {
	return field.Optional(name, at, field.Integer(1, math.MaxInt32), 0)
}

func flag(name string, at func(*keptLine) *bool) field.Field[keptLine] {
	return field.Optional(name, at, field.Boolean, false)
}

func text(name string, at func(*keptLine) *string) field.Field[keptLine] {
	return field.Optional(name, at, field.AnyText, "")
}

func digest(v jsontext.Value, in *field.Reading) (d registry.Digest, ok bool) {
	text, ok := field.AnyText[string](v, in)
	bytes, err := hex.DecodeString(text)
	if ok && (err != nil || len(bytes) != len(d)) {
		in.Wrong("must be a SHA-256 in hexadecimal")
		return d, false
	}
	copy(d[:], bytes)
	return d, ok
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
	var line keptLine
	err := fixtures.ReadJSON(text, keptFields, &line, nil)
	switch {
	case k.n == 1:
		return k.first(&line, err)
	case err != nil:
		return err
	case line.Base > 0:
		return k.baseline(&line)
	case line.Template > 0, line.Sandbox:
		if err := k.world(&line, spend); err != nil {
			return fmt.Errorf("sandbox %s: %w", field.Quote(line.Canonical), err)
		}
		return nil
	case line.End != k.n:
		return fmt.Errorf("must be a baseline, a template, a sandbox, or the end of %d lines", k.n)
	}
	k.end = k.n
	return nil
}

// first processes the first line. It checks the format before it reports any other error, because a
// later format may change the other fields.
func (k *restorer) first(line *keptLine, err error) error {
	switch {
	case line.Format > KeepFormat:
		return fmt.Errorf("the format is %d, but this version of the program reads %d; use a newer one",
			line.Format, KeepFormat)
	case err != nil:
		return err
	case line.Format != KeepFormat:
		return fmt.Errorf("the first line must be {\"format\": %d, …}; this file was not written by --keep", KeepFormat)
	}
	k.at, k.generator = line.At, line.Generator
	return nil
}

// baseline processes the line of a baseline. If the data was generated by this version of the
// generator, it comes from [sandbox.Sandbox.KnownBaseline]. Otherwise, or if that fails, it is read
// from the line.
func (k *restorer) baseline(line *keptLine) error {
	b := sandbox.Baseline{Seed: line.Seed}
	if line.Generated != nil && k.generator == fixtures.Generator {
		known, err := k.registry.Default().KnownBaseline(line.Seed, *line.Generated)
		if err == nil {
			b = known
		}
	}
	if b.State == nil {
		state, err := fixtures.Decode(line.Data)
		if err != nil {
			return fmt.Errorf("data: %w", err)
		}
		b.State = k.registry.Default().KnownState(state)
	}
	k.bases[line.Base] = b
	return nil
}

// world processes the line of a sandbox or a template.
func (k *restorer) world(line *keptLine, spend func(bytes int64) error) error {
	kept := &line.Kept
	if kept.Private && kept.Key == nil {
		return errors.New("private: needs a key")
	}
	last := int64(len(k.templates))
	if line.Of > last && line.Of != line.Template || line.Template > 0 && line.Template != last+1 {
		return fmt.Errorf("there is no template %d before it", max(line.Of, line.Template-1))
	}
	if line.Of > 0 && line.Of <= last {
		kept.Template = k.templates[line.Of-1]
	}
	w, err := k.read(line.Data, spend)
	if err != nil {
		return err
	}
	if line.Sandbox {
		return k.registry.Restore(kept, w)
	}
	template, err := k.registry.RestoreTemplate(kept, line.Of == 0, w)
	if err != nil {
		return err
	}
	k.templates = append(k.templates, template)
	if line.Current {
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
