package field

import (
	"errors"
	"fmt"
)

// Problem is one thing wrong with an input. With a Code, a *Problem is also the error of a refused
// operation.
type Problem struct {
	Field   string `json:"field"` // a JSON Pointer (RFC 6901), the name of a parameter or header, or a place in a file
	Message string `json:"message"`

	// Code classifies the problem for what shows it, which may add advice to the message. Args are
	// the values in the advice.
	Code Code  `json:"-"`
	Args []any `json:"-"`
}

// Code classifies a [Problem]. Empty means that the message says everything.
type Code string

// Refusal returns the error of an operation that is refused with the code.
func Refusal(code Code, format string, args ...any) error {
	return &Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ProblemOf returns the problem of the field that the error reports. It has the error's code.
func ProblemOf(field string, err error) Problem {
	problem := Problem{Field: field, Message: err.Error()}
	if refused, ok := errors.AsType[*Problem](err); ok {
		problem.Code, problem.Args = refused.Code, refused.Args
	}
	return problem
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

// Is reports whether target is the same kind of problem: one of the same code, without a message.
func (p *Problem) Is(target error) bool {
	kind, ok := target.(*Problem)
	return ok && kind.Message == "" && kind.Code == p.Code
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
	*p = append(*p, Problem{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Under returns the problems with their fields placed below the JSON Pointer.
func (p Problems) Under(pointer string) Problems {
	under := make(Problems, len(p))
	for i, problem := range p {
		problem.Field = pointer + problem.Field
		under[i] = problem
	}
	return under
}
