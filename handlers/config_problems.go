package handlers

import (
	"reflect"
	"strings"

	"example.com/petstore/store/field"
)

// ConfigProblem is what is wrong with one field of a [Config], such as MaxRecords, in
// words that follow its name or the flag's.
type ConfigProblem struct {
	field.Problem
	Flag string // by which the program sets the field, such as max-records
}

// place returns the place of the field among those of [Config].
func (p ConfigProblem) place() int {
	name, _, _ := strings.Cut(p.Field, ".")
	f, _ := reflect.TypeFor[Config]().FieldByName(name)
	return f.Index[0]
}

// ConfigProblems is everything that is wrong with a [Config], in the order of its
// fields.
type ConfigProblems []ConfigProblem

// Error returns the problems by field, one per line: "Config.MaxRecords must be at
// least 1, not -1".
func (p ConfigProblems) Error() string {
	return p.lines(func(p ConfigProblem) string { return "Config." + p.Field })
}

// ByFlag returns them by flag: "--max-records must be at least 1, not -1".
func (p ConfigProblems) ByFlag() string {
	return p.lines(func(p ConfigProblem) string { return "--" + p.Flag })
}

func (p ConfigProblems) lines(name func(ConfigProblem) string) string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = name(problem) + " " + problem.Message
	}
	return strings.Join(lines, "\n")
}
