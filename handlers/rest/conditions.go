package rest

import (
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Preconditions are the values of a request's If-Match and If-None-Match headers. If-Modified-Since
// and If-Unmodified-Since are ignored, because records have no modification date.
type Preconditions struct {
	match, noneMatch []string // entity tags, or only "*"; nil if the header is absent
	reads            bool     // the request is a GET or HEAD
}

// ReadPreconditions returns the request's preconditions, or nil if it has none. If a header is
// malformed, ReadPreconditions returns a 400 that explains the syntax.
func (x *Exchange) ReadPreconditions() (*Preconditions, error) {
	if x.R.Header["If-Match"] == nil && x.R.Header["If-None-Match"] == nil {
		return nil, nil
	}
	p := &Preconditions{reads: x.R.Method == http.MethodGet || x.R.Method == http.MethodHead}
	var err error
	if p.match, err = x.entityTags("If-Match"); err == nil {
		p.noneMatch, err = x.entityTags("If-None-Match")
	}
	return p, err
}

// Check evaluates the preconditions of a write against the current record, in the order of RFC
// 9110, section 13.2.2. It returns a 412 if a precondition fails.
func (p *Preconditions) Check(current store.Appender) error {
	if p == nil {
		return nil // without computing the tag
	}
	_, err := p.evaluate(entityTag(EncodeRecord(current)))
	return err
}

// evaluate compares the preconditions with the current tag. It returns a 412 if a precondition
// fails. If the request is a read and If-None-Match matches, it returns the tag to send in the 304.
func (p *Preconditions) evaluate(tag string) (notModified string, err error) {
	if p.match != nil && !p.matches(tag) {
		advice := "read it again before you change it"
		if p.reads {
			advice = "leave the header out to read it as it is now"
		}
		if slices.Contains(p.match, "W/"+tag) {
			advice = "leave out W/, or " + advice
		}
		return "", preconditionFailed(tag, "If-Match", "does not match the current ETag", advice)
	}
	named := p.excludes(tag)
	if named != "" && !p.reads {
		return "", preconditionFailed(tag, "If-None-Match", "matches the current ETag",
			"leave the header out to change it anyway")
	}
	return named, nil
}

// matches reports whether If-Match is * or lists the tag. The comparison is strong (RFC 9110,
// section 13.1.1).
func (p *Preconditions) matches(tag string) bool {
	return slices.ContainsFunc(p.match, func(t string) bool { return t == "*" || plain(t) == tag })
}

// excludes returns the tag in If-None-Match that matches the given tag, without W/, or "" if none
// does. The result may be the tag of the compressed response. If If-None-Match is *, excludes
// returns the given tag. The comparison is weak (RFC 9110, section 13.1.2).
func (p *Preconditions) excludes(tag string) string {
	for _, t := range p.noneMatch {
		if t == "*" {
			return tag
		}
		if strong := strings.TrimPrefix(t, "W/"); plain(strong) == tag {
			return strong // the server's tags are strong, even if the client sent a weak form
		}
	}
	return ""
}

func preconditionFailed(tag, header, problem, advice string) error {
	return Refuse("precondition_failed", header+" "+problem+", which is "+tag+"; "+advice,
		field.Problem{Field: header, Message: problem})
}

// GzipSuffix ends the entity tag of a compressed response. The compressed and the uncompressed
// response must have different tags (RFC 9110, section 8.8.3.3). Preconditions accept both.
const GzipSuffix = "-gzip"

// entityTag returns a strong entity tag for body. The hash is fast but not collision-resistant. An
// attacker who can construct a collision gains nothing, because clients may write the records
// anyway.
func entityTag(body []byte) string { return tagOf(xxhash.Sum64(body)) }

// tagOf returns a strong entity tag with the given hash.
func tagOf(sum uint64) string {
	return `"` + hex.EncodeToString(binary.BigEndian.AppendUint64(nil, sum)) + `"`
}

// plain removes [GzipSuffix] from a tag.
func plain(tag string) string {
	return strings.Replace(tag, GzipSuffix+`"`, `"`, 1)
}

// Grammars of an entity tag and of a list of entity tags (RFC 9110, sections 8.8.3 and 5.6.1).
var (
	tagForm  = regexp.MustCompile(`(?:W/)?"[^"]*"`)
	tagsForm = regexp.MustCompile(`^[ \t,]*(?:(?:W/)?"[^"]*"[ \t]*(?:,[ \t,]*|$))+$`)
)

// entityTags parses a header whose value is * or a list of entity tags. It returns nil if the
// header is absent, and a 400 if the value is malformed.
func (x *Exchange) entityTags(header string) ([]string, error) {
	if x.R.Header[header] == nil {
		return nil, nil
	}
	value := strings.Join(x.R.Header[header], ",")
	switch {
	case strings.Trim(value, " \t") == "*":
		return []string{"*"}, nil
	case !tagsForm.MatchString(value):
		return nil, BadParameter(header,
			`must be * or a list of entity tags in double quotes, such as "5d41402a", not `+field.Quote(value))
	}
	return tagForm.FindAllString(value, -1), nil
}
