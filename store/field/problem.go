package field

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Problem is one thing that is wrong with an input. A *Problem with a Code is also the error for an
// operation that was refused.
type Problem struct {
	// A JSON Pointer (RFC 6901), the name of a parameter or header, a position in a file, or "".
	Field   string `json:"field"`
	Message string `json:"message"`

	// Code identifies the kind of problem, so that advice can be added to the message. Args are the
	// values to show in the advice.
	Code Code  `json:"-"`
	Args []any `json:"-"`
}

// Code identifies a kind of [Problem]. Empty means that there is no advice beyond the message.
type Code string

// Refusal returns the error for an operation that was refused.
func Refusal(code Code, format string, args ...any) error {
	return &Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ProblemOf converts an error about a field to a Problem. It keeps the code and the args if err is
// or wraps a *Problem.
func ProblemOf(field string, err error) Problem {
	problem := Problem{Field: field, Message: err.Error()}
	if refused, ok := errors.AsType[*Problem](err); ok {
		problem.Code, problem.Args = refused.Code, refused.Args
	}
	return problem
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

// Is reports whether target is a *Problem that has the same code and no message.
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

// Problems lists what is wrong with one input. An error has at least one problem.
type Problems []Problem

// Add appends a problem. The message continues a sentence that begins with the field, as in "name:
// is required".
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, Problem{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Under returns a copy of the problems, with pointer prepended to each Field.
func (p Problems) Under(pointer string) Problems {
	under := make(Problems, len(p))
	for i, problem := range p {
		problem.Field = pointer + problem.Field
		under[i] = problem
	}
	return under
}

// Error returns one line per problem, such as `pets[3].name: is required`.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		if strings.HasPrefix(problem.Field, "/") {
			problem.Field = placeOf(jsontext.Pointer(problem.Field))
		}
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// placeOf formats a pointer as a location, such as pets[3].categoryId. A number is an index, unless
// it follows an index: no file has arrays of arrays.
func placeOf(pointer jsontext.Pointer) string {
	text := ""
	for token := range pointer.Tokens() {
		_, err := strconv.Atoi(token)
		name := nameText(token)
		switch {
		case text == "":
			text = name
		case name[0] == '"' || err == nil && !strings.HasSuffix(text, "]"):
			text += "[" + name + "]"
		default:
			text += "." + name
		}
	}
	return text
}

// nameText formats a field name for a location. It quotes a name that is empty or long, or that has
// unusual characters, and abbreviates a long one.
func nameText(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	}
	if name != "" && Abbreviate(name) == name && strings.TrimLeftFunc(name, plain) == "" {
		return name
	}
	return Quote(name)
}

// Path is the location of a value in a document: the steps from the root to the value.
type Path []Step

// Step is one step of a path: to a member of an object or to an element of an array.
type Step struct {
	Name    string
	Index   int
	Element bool // whether the step is to the element at Index, not to the member Name
}

// Pointer returns the path as a JSON Pointer (RFC 6901), with long names abbreviated.
func (p Path) Pointer() string {
	var pointer jsontext.Pointer
	for _, step := range p {
		token := Abbreviate(step.Name)
		if step.Element {
			token = strconv.Itoa(step.Index)
		}
		pointer = pointer.AppendToken(token)
	}
	return string(pointer)
}
