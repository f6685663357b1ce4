package rest

import (
	"net/http"
	"strings"

	"example.com/petstore/store/field"
)

// Preconditions are a request's If-Match and If-None-Match. Date conditions are not
// among them, since no record says when it was changed.
type Preconditions struct {
	match, noneMatch []string // entity tags, or "*" alone; nil: no such condition
	reads            bool     // whether the request is a GET or HEAD
}

// ReadPreconditions returns the request's preconditions, or a 400 that says how to
// write them.
func (x *Exchange) ReadPreconditions() (Preconditions, error) {
	p := Preconditions{reads: x.R.Method == http.MethodGet || x.R.Method == http.MethodHead}
	var err error
	if p.match, err = x.entityTags("If-Match"); err == nil {
		p.noneMatch, err = x.entityTags("If-None-Match")
	}
	return p, err
}

// Check evaluates the preconditions of a change against the record as it is now, in
// the order of RFC 9110, section 13.2.2: 412 where one of them fails.
func (p *Preconditions) Check(current Record) error {
	if p.match == nil && p.noneMatch == nil {
		return nil
	}
	_, err := p.evaluate(entityTag(EncodeRecord(current)))
	return err
}

// evaluate returns a 412 where a precondition fails; for a read whose If-None-Match
// names the content the tag to answer 304 with, which is the client's.
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

// matches reports whether If-Match names the content (RFC 9110, section 13.1.1,
// strong comparison).
func (p *Preconditions) matches(tag string) bool {
	for _, t := range p.match {
		if t == "*" || plain(t) == tag {
			return true
		}
	}
	return false
}

// excludes returns the tag, the client's where it names a compressed answer, by
// which If-None-Match (RFC 9110, section 13.1.2, weak comparison) names the content,
// or empty.
func (p *Preconditions) excludes(tag string) string {
	for _, t := range p.noneMatch {
		if t == "*" {
			return tag
		}
		if strong := strings.TrimPrefix(t, "W/"); plain(strong) == tag {
			return strong // ours are strong, whatever the client made of them
		}
	}
	return ""
}

func preconditionFailed(tag, header, problem, advice string) error {
	return Refuse("precondition_failed", header+" "+problem+", which is "+tag+"; "+advice, field.Problem{Field: header, Message: problem})
}
