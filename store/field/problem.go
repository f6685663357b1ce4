package field

import "fmt"

// Problem is one thing wrong with an input.
type Problem struct {
	Field   string `json:"field"` // a JSON Pointer (RFC 6901), the name of a parameter or header, or a place in a file
	Message string `json:"message"`
}

// String returns "field: message", or only the message if there is no field.
func (p Problem) String() string {
	if p.Field == "" {
		return p.Message
	}
	return p.Field + ": " + p.Message
}

// Problems is everything wrong with one input.
type Problems []Problem

// Add appends a problem. The message follows the field's name, as in "name: is required".
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, Problem{field, fmt.Sprintf(format, args...)})
}

// Under returns the problems with their fields placed below the JSON Pointer.
func (p Problems) Under(pointer string) Problems {
	under := make(Problems, len(p))
	for i, problem := range p {
		under[i] = Problem{pointer + problem.Field, problem.Message}
	}
	return under
}
