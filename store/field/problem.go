package field

import "fmt"

// Problem is what is wrong with one field of an input.
type Problem struct {
	Field   string `json:"field"` // a JSON Pointer (RFC 6901), the name of a parameter or header, or a place in a file
	Message string `json:"message"`
}

// String returns "field: message", or the message where there is no field.
func (p Problem) String() string {
	if p.Field == "" {
		return p.Message
	}
	return p.Field + ": " + p.Message
}

// Problems are what is wrong with one input.
type Problems []Problem

// Add adds one, whose message is to be read behind the field.
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, Problem{field, fmt.Sprintf(format, args...)})
}

// Under returns the problems of a value that stands at the JSON Pointer.
func (p Problems) Under(pointer string) Problems {
	under := make(Problems, len(p))
	for i, problem := range p {
		under[i] = Problem{pointer + problem.Field, problem.Message}
	}
	return under
}
