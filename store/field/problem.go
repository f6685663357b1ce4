package field

import "fmt"

// Problem is what is wrong with one field of an input.
type Problem struct {
	Field   string `json:"field"` // a JSON Pointer (RFC 6901), or the name of a parameter or header
	Message string `json:"message"`
}

// Problems are what is wrong with one input.
type Problems []Problem

// Add adds one, whose message is to be read behind the field.
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, Problem{field, fmt.Sprintf(format, args...)})
}
