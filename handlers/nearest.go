package handlers

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// guess returns the path that is nearest to one that is none, and what a proxy may have put
// before it: as much as does not begin like a path of the server.
func (r *router) guess(path string) (nearest, added string) {
	nearest = r.nearest(path)
	called := nearest
	if nearest == "" || strings.Contains(nearest, "{") { // nothing that could have been called
		called = "/"
	}
	added, ok := strings.CutSuffix(path, called)
	added, _, _ = strings.Cut(added, "/sandboxes/")
	own := slices.ContainsFunc(r.templates, func(template []string) bool {
		return len(template) > 0 && template[0] == firstSegment(added)
	})
	if !ok || own {
		added = ""
	}
	return nearest, added
}

// nearest returns the path there is that a path which is none was most likely
// meant to be, or empty. It sees through misspelt segments, slashes too many, and
// leading segments too many (/api/v3/pets) or too few (/orders). Of paths as near as each
// other, the one with the fewest parameters to fill in is meant.
func (r *router) nearest(path string) string {
	const longest = 200 // beyond it there is nothing to guess
	if len(path) > longest {
		return ""
	}
	if strings.Contains(path, "/.") {
		path = folded(path)
	}
	if behind, ok := behindData(path); ok {
		near := r.nearest(behind)
		if e, _ := r.find(&http.Request{URL: new(url.URL)}, near); e == nil || e.data == nil {
			return ""
		}
		return rest.DataPath + near
	}
	for wanted := segments(path); len(wanted) > 0; wanted = wanted[1:] {
		ends, whole := r.endingLike(wanted)
		if found, ok := field.Nearest("/"+strings.Join(wanted, "/"), ends); ok {
			return whole[slices.Index(ends, found)]
		}
	}
	return ""
}

// folded returns the path without its segments "." and "..", as whoever parses an address
// folds them away (RFC 3986, section 5.2.4).
func folded(name string) string { return path.Clean(name) }

// endingLike returns the ends of paths that have as many segments as the one
// wanted, with its values for their parameters, and the whole paths.
func (r *router) endingLike(wanted []string) (ends, whole []string) {
	for _, template := range r.templates {
		missing := len(template) - len(wanted)
		if missing < 0 || isParameter(template[missing]) {
			continue
		}
		end := ""
		for i, segment := range template[missing:] {
			if isParameter(segment) {
				segment = wanted[i]
			}
			end += "/" + segment
		}
		ends = append(ends, end)
		whole = append(whole, strings.TrimSuffix("/"+strings.Join(template[:missing], "/"), "/")+end)
	}
	return ends, whole
}

// parameters returns how many segments of the path are parameters.
func parameters(template []string) (n int) {
	for _, segment := range template {
		if isParameter(segment) {
			n++
		}
	}
	return n
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
