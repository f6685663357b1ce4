package metrics

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// ContentType is the media type of the Prometheus text format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Kind is the type of a metric family.
type Kind string

// The kinds of metric families. A counter never decreases while the program runs.
const (
	Counter       Kind = "counter"
	Gauge         Kind = "gauge"
	histogramKind Kind = "histogram"
	summaryKind   Kind = "summary"
)

// part is the size of the buffer, in bytes.
const part = 8 << 10

// Text writes metrics in the Prometheus text format. It buffers its output.
type Text struct{ b *bufio.Writer }

// NewText returns a Text whose output goes to the given writer. At the end, the caller must call
// [Text.Flush].
func NewText(to io.Writer) *Text { return &Text{bufio.NewWriterSize(to, part)} }

// Flush writes the buffered output. It returns the first error from the writer. After an error,
// Text writes nothing more.
func (t *Text) Flush() error { return t.b.Flush() }

// Family begins a metric family.
func (t *Text) Family(name string, kind Kind, help string) {
	t.b.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + string(kind) + "\n")
}

// One writes a family that consists of a single sample without labels.
func (t *Text) One(name string, kind Kind, help string, value float64) {
	t.Family(name, kind, help)
	t.Sample(name, value)
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// Sample writes a sample of the current family. labels is a list of name, value pairs.
func (t *Text) Sample(name string, value float64, labels ...string) {
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
