package field

import (
	"fmt"
	"slices"
	"strings"
)

// MaxProblems is how many problems of one input are told. At the next one reading
// stops, so that no input costs more for being wrong everywhere.
const MaxProblems = 100

// Reading is the reading of one input, in which all that is wrong is collected.
// The zero Reading is ready. It belongs to one goroutine.
type Reading struct {
	Problems Problems // the first MaxProblems
	More     bool     // whether there was one more, at which reading stopped

	Strict   bool              // whether an unknown field is a problem
	Unquoted string            // what to add where there should be a string, and a number or a boolean is; empty: nothing
	Place    func(Path) string // how a place is written; nil: as a JSON Pointer

	// Repeated is the path of the first name found that its object has twice, or nil. Only
	// a decoder that allows duplicate names leads to one.
	Repeated Path

	path Path // where the reading is
}

// Wrong adds what is wrong with the value that is being read.
func (r *Reading) Wrong(format string, args ...any) {
	if len(r.Problems) == MaxProblems {
		r.More = true
		return
	}
	place := r.Place
	if place == nil {
		place = Path.Pointer
	}
	r.Add(Problem{Field: place(r.path), Message: fmt.Sprintf(format, args...)})
}

// WrongAt is Wrong for the value at the path.
func (r *Reading) WrongAt(path Path, format string, args ...any) {
	defer func(here Path) { r.path = here }(r.path)
	r.path = path
	r.Wrong(format, args...)
}

// Add adds a problem as it is.
func (r *Reading) Add(problem Problem) {
	if len(r.Problems) == MaxProblems {
		r.More = true
		return
	}
	r.Problems = append(r.Problems, problem)
}

// Tell adds a problem that was found otherwise, unless one with the same field, or
// with what that is in, is known: what follows from it is not told.
func (r *Reading) Tell(problem Problem) {
	for _, known := range r.Problems {
		if rest, ok := strings.CutPrefix(problem.Field, known.Field); ok && (rest == "" || rest[0] == '/') {
			return
		}
	}
	r.Add(problem)
}

// Within reads something in the field of the name.
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
