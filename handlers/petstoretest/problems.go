package petstoretest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// mustNot fails the test if there are problems with an argument, and reports all of them.
func (s *Sandbox) mustNot(what string, problems field.Problems) {
	s.t.Helper()
	var all []error
	for _, problem := range rest.Advised(problems, rest.InGo) {
		all = append(all, fmt.Errorf("%s: %s: %s", what, goField(problem.Field), problem.Message))
	}
	s.must(errors.Join(all...))
}

// goField returns the Go name of the field that a JSON Pointer refers to, such as
// Match.OperationID, or [1].Status in the second of several values.
func goField(pointer string) string {
	name := ""
	for token := range jsontext.Pointer(pointer).Tokens() {
		_, err := strconv.Atoi(token)
		switch {
		case strings.HasSuffix(name, "Headers"):
			name += fmt.Sprintf("[%q]", token)
		case err == nil:
			name += "[" + token + "]"
		case token == "url":
			name += "URL"
		default:
			if name != "" {
				name += "."
			}
			name += strings.ToUpper(token[:1]) + strings.ReplaceAll(token[1:], "Id", "ID")
		}
	}
	return name
}
