package field

import (
	"fmt"
	"slices"
	"strings"
)

// MaxProblems is the maximum number of problems reported for one input. Readers stop at the next
// problem, to limit the cost of an input with many problems.
const MaxProblems = 100

// Reading collects the problems with one input while it is read. The zero Reading is ready to use.
// It is not safe for concurrent use.
type Reading struct {
	Problems Problems // the first problems, at most MaxProblems
	More     bool     // whether there was another problem, at which the readers stopped

	Strict   bool   // whether unknown fields are problems
	File     bool   // whether the input is a file, not a request
	Unquoted string // appended to the message if a number or boolean is found instead of a string

	// Repeated is the path of the first duplicate name, or nil. It remains nil if the decoder
	// rejects duplicate names.
	Repeated Path

	path Path // path of the current value
}

// Wrong adds a problem with the current value.
func (r *Reading) Wrong(format string, args ...any) { r.WrongAt("", format, args...) }

// WrongAt adds a problem with the value at pointer, which is relative to the current value.
func (r *Reading) WrongAt(pointer, format string, args ...any) {
	r.Report(Problem{Field: pointer, Message: fmt.Sprintf(format, args...)})
}

// Report adds a problem whose Field is a pointer relative to the current value, or empty. The
// Field of the added problem is a pointer from the root.
func (r *Reading) Report(problem Problem) {
	problem.Field = r.path.Pointer() + problem.Field
	r.Add(problem)
}

// Add adds a problem unchanged, or sets r.More if there are [MaxProblems] already.
func (r *Reading) Add(problem Problem) {
	if len(r.Problems) == MaxProblems {
		r.More = true
		return
	}
	r.Problems = append(r.Problems, problem)
}

// AddUnlessKnown adds a problem unless one was added for the same field or for a value that
// contains the field. The new problem could be a mere consequence of the earlier one.
func (r *Reading) AddUnlessKnown(problem Problem) {
	for _, known := range r.Problems {
		if rest, ok := strings.CutPrefix(problem.Field, known.Field); ok && (rest == "" || rest[0] == '/') {
			return
		}
	}
	r.Add(problem)
}

// Within calls read with the named member as the current value.
func (r *Reading) Within(name string, read func(*Reading)) {
	r.enter(Step{Name: name})
	read(r)
	r.leave()
}

func (r *Reading) repeat() {
	if r.Repeated == nil {
		r.Repeated = slices.Clone(r.path)
	}
}

func (r *Reading) enter(s Step) { r.path = append(r.path, s) }
func (r *Reading) leave()       { r.path = r.path[:len(r.path)-1] }
