package sandbox

import "fmt"

// Flaw is what is wrong with one field of a value that somebody gives a sandbox: of
// a fault rule, a lifecycle, a filter.
type Flaw struct {
	Field   string // JSON Pointer into the value as it is in JSON
	Message string // to be read behind the field
}

// flawList collects flaws.
type flawList []Flaw

func (l *flawList) add(field, format string, args ...any) {
	*l = append(*l, Flaw{field, fmt.Sprintf(format, args...)})
}
