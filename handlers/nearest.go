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

// guess returns the known path nearest to an unknown one, and the prefix that a proxy may have put
// before it: the leading segments up to the first that begins a path of the server.
func (r *router) guess(path string) (nearest, added string) {
	nearest = r.nearest(path)
	called := nearest
	if nearest == "" || strings.Contains(nearest, "{") { // nothing that can be requested as it is
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

// nearest returns the known path that an unknown one was most likely meant to be, or "". It
// tolerates misspelt segments, extra slashes, and extra (/api/v3/pets) or missing (/orders) leading
// segments. Of equally near paths it returns the one with the fewest parameters.
func (r *router) nearest(path string) string {
	const longest = 200 // no suggestions for longer paths
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

// folded removes "." and ".." segments as address parsers do (RFC 3986, section 5.2.4).
func folded(name string) string { return path.Clean(name) }

// endingLike returns the ends of all paths that have as many segments as wanted, with its values
// for their parameters, and the whole paths.
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

// parameters returns the number of parameters in a path.
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
