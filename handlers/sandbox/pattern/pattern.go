// Package pattern matches request paths for faults and for the journal.
package pattern

import "strings"

// Match reports whether a path matches the pattern. The segment * matches any segment that is not
// empty, and ** at the end matches the rest, which may be empty: /pets/** matches /pets and every
// path below it.
func Match(pattern, path string) bool {
	return match(pattern, path, func(want, got string) bool { return want == got || want == "*" && got != "" })
}

// MatchesAny reports whether a pattern matches at least one path of a template such as
// /pets/{petId}. A parameter stands for any segment that is not empty.
func MatchesAny(pattern, template string) bool {
	return match(pattern, template, func(want, got string) bool {
		return want == got || got != "" && (want == "*" || got[0] == '{' && want != "")
	})
}

// match compares a pattern with a path or template, segment by segment, by calling same.
func match(pattern, path string, same func(want, got string) bool) bool {
	for {
		want, patternRest, patternGoesOn := strings.Cut(pattern, "/")
		if want == "**" && !patternGoesOn {
			return true
		}
		got, rest, goesOn := strings.Cut(path, "/")
		if !same(want, got) {
			return false
		}
		if !goesOn {
			return !patternGoesOn || patternRest == "**"
		}
		if !patternGoesOn {
			return false
		}
		pattern, path = patternRest, rest
	}
}

// encoded removes the two escapes that a decoded path may contain.
var encoded = strings.NewReplacer("%2F", "", "%25", "")

// Check returns the message for an invalid pattern, or "". See [Match] for the form of patterns.
func Check(pattern string) string {
	switch {
	case !strings.HasPrefix(pattern, "/"):
		return "must begin with a /, such as /pets/*"
	case strings.ContainsAny(pattern, "{}"):
		return "must have * for a parameter of the path, such as /pets/*"
	case strings.Contains(pattern, "?"):
		return "must not have a query"
	case strings.Contains(encoded.Replace(pattern), "%"):
		return "must be decoded, except for a slash in a segment, which is %2F, and a percent sign, which is %25"
	case strings.HasPrefix(pattern, "/sandboxes/"):
		return "must not have the sandbox prefix; write /pets/* for /sandboxes/NAME/pets/*"
	}
	segments := strings.Split(pattern[1:], "/")
	for i, segment := range segments {
		switch {
		case segment == "**" && i < len(segments)-1:
			return "can have ** only at its end; * stands for one segment"
		case segment != "*" && segment != "**" && strings.Contains(segment, "*"):
			return "must have * as a whole segment, such as /pets/*"
		}
	}
	return ""
}
