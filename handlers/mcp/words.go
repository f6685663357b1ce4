package mcp

import (
	"regexp"
	"strings"
	"sync"

	"example.com/petstore/handlers/rest"
)

// toolWords says in the words of the tools what messages say in those of HTTP, where no operation is named.
var toolWords = strings.NewReplacer(
	"export the world with ?data=true", "call export_world with data: true",
	"get one at /join or with POST /admin/sandboxes, and name it in the path, as /sandboxes/", "get one with create_sandbox, with a name such as ",
	" (records alone are a state: PUT /admin/state, or --fixtures)", "",
)

// calls finds the operations that a message names by method and path.
var calls = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(GET|POST|PUT|PATCH|DELETE) (/[^\s,;:"'()]*)`)
})

// inTools returns a message of the service with the names of tools instead of those of the operations that they
// call.
func (s *Server) inTools(message string) string {
	return calls().ReplaceAllStringFunc(toolWords.Replace(message), func(call string) string {
		method, address, _ := strings.Cut(call, " ")
		path, _, _ := strings.Cut(address, "?")
		for _, t := range s.tools() {
			for _, r := range t.requests {
				if r.Method == method && (isAt(path, r.Path) || isAt(path, strings.TrimPrefix(r.Path, rest.DataPath))) {
					return t.name
				}
			}
		}
		return call
	})
}

// isAt reports whether a path is one of those of an operation, whose parameters are in braces.
func isAt(path, template string) bool {
	segments, wanted := strings.Split(path, "/"), strings.Split(template, "/")
	if len(segments) != len(wanted) {
		return false
	}
	for i, segment := range wanted {
		if segment != segments[i] && !strings.HasPrefix(segment, "{") {
			return false
		}
	}
	return true
}
