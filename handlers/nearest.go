package handlers

import (
	"path"
	"slices"
	"strings"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// longest is the maximum length, in bytes, of an unknown path for which the router suggests a known
// one.
const longest = 200

// guess returns a known path to suggest in place of an unknown one, or "". If path is a known path
// after a prefix, and no known path has its first segment, guess returns the known path after the
// shortest such prefix. A proxy may have added the prefix; added is its part before any /sandboxes/.
// Otherwise, guess returns the nearest known path. Every path that ends in "/" is "/" after a
// prefix, so guess suggests "/" only if no known path without parameters is near.
func (r *router) guess(path string) (nearest, added string) {
	nearest = r.nearest(path)
	own := slices.ContainsFunc(r.templates, func(template string) bool {
		return template != "/" && firstSegment(template) == firstSegment(path)
	})
	if own || len(path) > longest {
		return nearest, ""
	}
	for i := 1; i < len(path); i++ {
		known := path[i:]
		if path[i] != '/' || !r.has(known) {
			continue
		}
		if known == "/" && nearest != "" && !strings.Contains(nearest, "{") {
			break
		}
		added, _, _ = strings.Cut(path[:i], "/sandboxes/")
		return known, added
	}
	return nearest, ""
}

// has reports whether a path is known.
func (r *router) has(path string) bool {
	e, _ := r.find(path)
	return e != nil
}

// nearest returns the known path that an unknown one was most likely meant to be, or "". It
// tolerates misspelt segments, extra slashes, and leading segments that are extra (/api/v3/pets) or
// missing (/orders). Of equally near paths, it returns the one with the fewest parameters.
func (r *router) nearest(unknown string) string {
	if len(unknown) > longest {
		return ""
	}
	if strings.Contains(unknown, "/.") {
		unknown = path.Clean(unknown) // removes the segments "." and ".." as URL parsers do (RFC 3986, section 5.2.4)
	}
	if behind, ok := strings.CutPrefix(unknown, rest.DataPath); ok && strings.HasPrefix(behind, "/") {
		if near := rest.DataPath + r.nearest(behind); r.has(near) {
			return near
		}
		return ""
	}
	for wanted := segments(unknown); len(wanted) > 0; wanted = wanted[1:] {
		ends, whole := r.endingLike(wanted)
		if found, ok := field.Nearest("/"+strings.Join(wanted, "/"), ends); ok {
			return whole[slices.Index(ends, found)]
		}
	}
	return ""
}

// endingLike returns the last len(wanted) segments of each known path (ends), and the whole paths
// (whole). Parameters in the last segments are replaced with the corresponding segments of wanted.
// Paths that are too short, or whose last segments start with a parameter, are omitted.
func (r *router) endingLike(wanted []string) (ends, whole []string) {
	for _, path := range r.templates {
		template := segments(path)
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

func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}
