package metrics

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// ContentType is the media type of the text format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Kind is the type of a metric family.
type Kind string

// Kinds of families. A counter only grows until the program restarts.
const (
	Counter       Kind = "counter"
	Gauge         Kind = "gauge"
	histogramKind Kind = "histogram"
	summaryKind   Kind = "summary"
)

// part is the most bytes of a text that are in memory, except for the last line.
const part = 8 << 10

// Text is a text in the Prometheus format, written part by part.
type Text struct {
	to  io.Writer
	b   bytes.Buffer
	err error // the writer's first
}

// NewText begins a text. [Text.Flush] ends it.
func NewText(to io.Writer) *Text { return &Text{to: to} }

// Flush writes what has not been written yet. It returns the writer's first error, after which
// nothing is written.
func (t *Text) Flush() error {
	if t.err == nil {
		_, t.err = t.b.WriteTo(t.to)
	}
	t.b.Reset()
	return t.err
}

// line flushes a full part before the next line.
func (t *Text) line() {
	if t.b.Len() >= part {
		_ = t.Flush() // the last call returns the error too
	}
}

// Family begins a family with its help text.
func (t *Text) Family(name string, kind Kind, help string) {
	t.line()
	t.b.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + string(kind) + "\n")
}

// One writes a family with a single sample without labels.
func (t *Text) One(name string, kind Kind, help string, value int64) {
	t.Family(name, kind, help)
	t.Sample(name, float64(value))
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// Sample writes a sample of the family. labels are pairs of name and value.
func (t *Text) Sample(name string, value float64, labels ...string) {
	t.line()
	t.b.WriteString(name)
	separator := "{"
	for i := 0; i < len(labels); i += 2 {
		t.b.WriteString(separator + labels[i] + `="` + escaper.Replace(labels[i+1]) + `"`)
		separator = ","
	}
	if len(labels) > 0 {
		t.b.WriteByte('}')
	}
	t.b.WriteByte(' ')
	t.b.Write(strconv.AppendFloat(t.b.AvailableBuffer(), value, 'g', -1, 64))
	t.b.WriteByte('\n')
}
