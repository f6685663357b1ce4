package rest

import (
	"net/http"
	"strings"

	"example.com/petstore/store/field"
)

// Preconditions are a request's If-Match and If-None-Match. Date conditions are ignored, because
// records have no modification date.
type Preconditions struct {
	match, noneMatch []string // entity tags, or "*" alone; nil if absent
	reads            bool     // the request is a GET or HEAD
}

// ReadPreconditions returns the request's preconditions, or a 400 that says how to write them.
func (x *Exchange) ReadPreconditions() (Preconditions, error) {
	p := Preconditions{reads: x.R.Method == http.MethodGet || x.R.Method == http.MethodHead}
	var err error
	if p.match, err = x.entityTags("If-Match"); err == nil {
		p.noneMatch, err = x.entityTags("If-None-Match")
	}
	return p, err
}

// Check evaluates the preconditions of a change against the current record, in the order of RFC
// 9110, section 13.2.2. It returns a 412 if one fails.
func (p *Preconditions) Check(current Record) error {
	if p.match == nil && p.noneMatch == nil {
		return nil
	}
	_, err := p.evaluate(entityTag(EncodeRecord(current)))
	return err
}

// evaluate returns a 412 if a precondition fails. If a read's If-None-Match matches, it returns the
// client's tag for a 304.
func (p *Preconditions) evaluate(tag string) (notModified string, err error) {
	if p.match != nil && !p.matches(tag) {
		advice := "read it again before you change it"
		if p.reads {
			advice = "leave the header out to read it as it is now"
		}
		return "", preconditionFailed(tag, "If-Match", "does not match the current ETag", advice)
	}
	named := p.excludes(tag)
	if named != "" && !p.reads {
		return "", preconditionFailed(tag, "If-None-Match", "matches the current ETag", "leave the header out to change it anyway")
	}
	return named, nil
}

// matches reports whether If-Match names the content (RFC 9110, section 13.1.1, strong comparison).
func (p *Preconditions) matches(tag string) bool {
	for _, t := range p.match {
		if t == "*" || plain(t) == tag {
			return true
		}
	}
	return false
}

// excludes returns the tag in If-None-Match that names the content (RFC 9110, section 13.1.2, weak
// comparison), or "". It is the client's own tag if that names a compressed response.
func (p *Preconditions) excludes(tag string) string {
	for _, t := range p.noneMatch {
		if t == "*" {
			return tag
		}
		if strong := strings.TrimPrefix(t, "W/"); plain(strong) == tag {
			return strong // the server's tags are strong, even if the client sent a weak one
		}
	}
	return ""
}

func preconditionFailed(tag, header, problem, advice string) error {
	return Refuse("precondition_failed", header+" "+problem+", which is "+tag+"; "+advice, field.Problem{Field: header, Message: problem})
}
