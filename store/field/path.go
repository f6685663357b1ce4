package field

import (
	"strconv"
	"strings"
)

// Path is the location of a value in a document: the steps from the root to the value.
type Path []Step

// Step is one step of a path: to a member of an object or to an element of an array.
type Step struct {
	Name    string
	Index   int
	Element bool // whether the step is to the element at Index, not to the member Name
}

// At returns the path with the given steps, which are member names (string) or indexes (int).
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

// Pointer returns the path as a JSON Pointer (RFC 6901), with long names abbreviated.
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

// pointerEscaper escapes a name for a JSON Pointer (RFC 6901, section 3).
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
