package field

import (
	"fmt"
	"slices"
	"strings"
)

// MaxProblems is the most problems reported for one input. Reading stops at the next one, which
// bounds the cost of an input that is wrong everywhere.
const MaxProblems = 100

// Reading collects the problems of one input while it is read. The zero Reading is ready for use.
// It belongs to one goroutine.
type Reading struct {
	Problems Problems // the first MaxProblems
	More     bool     // reading stopped at one problem more

	Strict   bool              // reject unknown fields
	File     bool              // the input is a file, not a request
	Unquoted string            // added to the message where a string is expected and a number or boolean found
	Place    func(Path) string // formats a path; nil means as a JSON Pointer

	// Repeated is the path of the first duplicate name, or nil. Only a decoder that allows
	// duplicate names can lead to one.
	Repeated Path

	path Path // of the value that is being read
}

// Wrong adds a problem of the current value.
func (r *Reading) Wrong(format string, args ...any) {
	r.Report(Problem{Message: fmt.Sprintf(format, args...)})
}

// Report adds a problem of the current value, which becomes its field.
func (r *Reading) Report(problem Problem) { r.ReportAt(r.path, problem) }

// ReportAt adds a problem of the value at the path, which becomes its field.
func (r *Reading) ReportAt(path Path, problem Problem) {
	place := r.Place
	if place == nil {
		place = Path.Pointer
	}
	problem.Field = place(path)
	r.Add(problem)
}

// Add adds a problem as it is.
func (r *Reading) Add(problem Problem) {
	if len(r.Problems) == MaxProblems {
		r.More = true
		return
	}
	r.Problems = append(r.Problems, problem)
}

// AddUnlessKnown adds a problem unless its field, or a field around it, already has one: errors
// caused by an earlier one are dropped.
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
