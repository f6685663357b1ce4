package field

import (
	"strconv"
	"strings"
)

// Path is where a value stands in a document: the steps to it from the whole.
type Path []Step

// Step is one step of a path: to the field of the name, or to the element of the
// index.
type Step struct {
	Name    string
	Index   int
	Element bool // whether it is the index that counts
}

// At returns the path of names (string) and indexes (int).
func At(steps ...any) Path {
	path := make(Path, len(steps))
	for i, step := range steps {
		switch step := step.(type) {
		case string:
			path[i].Name = step
		case int:
			path[i] = Step{Index: step, Element: true}
		}
	}
	return path
}

// Pointer returns the path as a JSON Pointer (RFC 6901), its names abbreviated.
func (p Path) Pointer() string {
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		if step.Element {
			b.WriteString(strconv.Itoa(step.Index))
		} else {
			b.WriteString(pointerEscaper.Replace(Abbreviate(step.Name)))
		}
	}
	return b.String()
}

// pointerEscaper writes a name as a JSON Pointer's token (RFC 6901, section 3).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
