package mcp

import (
	"regexp"
	"strings"
	"sync"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/pattern"
)

// toolWords replaces phrases about HTTP requests with phrases about tools. inTools replaces the
// operations that remain.
var toolWords = strings.NewReplacer(
	"export the world with ?data=true", "call export_world with data: true",
	"get one at /join or with POST /admin/sandboxes, and name it in the path, as /sandboxes/",
	"get one with create_sandbox, with a name such as ",
	" (records alone are a state: PUT /admin/state, or --fixtures)", "",
)

// calls matches operations in messages. An operation is written as a method and a path.
var calls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(GET|POST|PUT|PATCH|DELETE) (/[^\s,;:"'()]*)`)
})

// inTools rewrites a message from the service for a model. It applies toolWords, and replaces each
// operation with the name of a tool that calls it, if there is one.
func inTools(message string) string {
	return calls().ReplaceAllStringFunc(toolWords.Replace(message), func(call string) string {
		method, address, _ := strings.Cut(call, " ")
		path, _, _ := strings.Cut(address, "?")
		for _, t := range preparedTools() {
			for _, r := range t.requests {
				if r.Method == method && (pattern.MatchesAny(path, r.Path) ||
					pattern.MatchesAny(path, strings.TrimPrefix(r.Path, rest.DataPath))) {
					return t.name
				}
			}
		}
		return call
	})
}
