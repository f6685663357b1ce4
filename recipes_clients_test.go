package main

import (
	"regexp"
	"strings"
	"testing"
)

const (
	pythonSources = ".release/python/petstore_sandbox/"
	javaSources   = ".release/java/src/com/example/petstore/"
)

// clients has the sources of each client, and the format in which it declares a method.
var clients = map[string]struct {
	sources []string
	method  string
}{
	"JavaScript": {[]string{".release/npm/src/index.ts", ".release/npm/src/sandbox.ts", ".release/npm/src/clock.ts"}, `(?m)^  (?:async |get )?%[(<]`},
	"Python":     {[]string{pythonSources + "_clock.py", pythonSources + "_sandbox.py", pythonSources + "_store.py"}, `(?m)^    def %\(`},
	"Java":       {[]string{javaSources + "AnySandbox.java", javaSources + "Clock.java", javaSources + "Sandbox.java", javaSources + "Store.java"}, `(?m)^  public [\w<>]+ %\(`},
}

var (
	tableRow = regexp.MustCompile("(?m)^\\| [^|]* \\| (`\\w+`(?:, `\\w+`)*) \\|$")
	code     = regexp.MustCompile("`(\\w+)`")
	capital  = regexp.MustCompile(`[A-Z]`)
)

// TestClientsShareNames checks that the clients for JavaScript, Python and Java have every method
// that the page of tests lists, by the same name.
func TestClientsShareNames(t *testing.T) {
	t.Parallel()
	var names []string
	for _, row := range tableRow.FindAllStringSubmatch(textOf(t, recipes+"/tests.md"), -1) {
		for _, name := range code.FindAllStringSubmatch(row[1], -1) {
			names = append(names, name[1])
		}
	}
	if len(names) < 20 {
		t.Fatalf("the page lists %q", names)
	}
	for language, client := range clients {
		var text strings.Builder
		for _, source := range client.sources {
			text.WriteString(textOf(t, source))
		}
		for _, name := range names {
			if language == "Python" {
				name = capital.ReplaceAllStringFunc(name, func(letter string) string { return "_" + strings.ToLower(letter) })
			}
			if !regexp.MustCompile(strings.ReplaceAll(client.method, "%", name)).MatchString(text.String()) {
				t.Errorf("the client for %s has no method %s", language, name)
			}
		}
	}
}
