package metrics

import (
	"bytes"
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

// Text builds a text in the Prometheus format. The zero Text is empty.
type Text struct{ b bytes.Buffer }

// Bytes returns the text.
func (t *Text) Bytes() []byte { return t.b.Bytes() }

// Family begins a family with its help text.
func (t *Text) Family(name string, kind Kind, help string) {
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
