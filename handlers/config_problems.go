package handlers

import (
	"reflect"
	"strings"

	"example.com/petstore/store/field"
)

// ConfigProblem is a problem with one field of a [Config], such as MaxRecords. Its message follows
// the name of the field or of its flag.
type ConfigProblem struct {
	field.Problem
	Flag string // the flag that sets the field, such as max-records
}

// place returns the index of the field in Config.
func (p ConfigProblem) place() int {
	name, _, _ := strings.Cut(p.Field, ".")
	f, _ := reflect.TypeFor[Config]().FieldByName(name)
	return f.Index[0]
}

// ConfigProblems are all problems of a [Config], in the order of its fields.
type ConfigProblems []ConfigProblem

// Error returns one line per problem, by field: "Config.MaxRecords must be at least 1, not -1".
func (p ConfigProblems) Error() string {
	return p.lines(func(p ConfigProblem) string { return "Config." + p.Field })
}

// ByFlag returns one line per problem, by flag: "--max-records must be at least 1, not -1".
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
