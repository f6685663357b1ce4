package store

import (
	"fmt"
	"io"
	"iter"
)

// diffWriter writes JSON. After an error it writes nothing.
type diffWriter struct {
	to   io.Writer
	text []byte // not yet written
	err  error
}

func (w *diffWriter) send() {
	if w.err == nil {
		_, w.err = w.to.Write(w.text)
	}
	w.text = w.text[:0]
}

func (n *Noun[T]) writeChanges(w *diffWriter, s, from *State) {
	all := n.deltas(s, from)
	w.text = fmt.Appendf(w.text, `%q:{"added":[`, n.Plural)
	writeThose(w, all, func(b []byte, d delta[T]) []byte {
		if d.was {
			return b
		}
		return d.after.AppendJSON(b)
	})
	w.text = append(w.text, `],"changed":[`...)
	writeThose(w, all, func(b []byte, d delta[T]) []byte {
		if !d.was || !d.is {
			return b
		}
		b = d.before.AppendJSON(append(b, `{"before":`...))
		b = d.after.AppendJSON(append(b, `,"after":`...))
		return append(b, '}')
	})
	w.text = append(w.text, `],"removed":[`...)
	writeThose(w, all, func(b []byte, d delta[T]) []byte {
		if d.is {
			return b
		}
		return d.before.AppendJSON(b)
	})
	w.text = append(w.text, "]}"...)
}

// writeThose writes the differences for which appendJSON appends something, separated by commas.
func writeThose[T any](w *diffWriter, all iter.Seq[delta[T]], appendJSON func([]byte, delta[T]) []byte) {
	first := true
	for d := range all {
		begin := len(w.text)
		if !first {
			w.text = append(w.text, ',')
		}
		text := appendJSON(w.text, d)
		if len(text) == len(w.text) { // filtered out
			w.text = w.text[:begin]
			continue
		}
		w.text = text
		first = false
		if w.send(); w.err != nil {
			return
		}
	}
}
