package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// GzipSuffix stands at the end of the entity tag of a compressed answer, whose
// bytes are others than the plain one's (RFC 9110, section 8.8.3.3). For
// preconditions both name the same record.
const GzipSuffix = "-gzip"

// entityTag returns a strong entity tag of the content.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	tag := make([]byte, 0, 2+32)
	tag = append(tag, '"')
	tag = hex.AppendEncode(tag, sum[:16])
	return string(append(tag, '"'))
}

// has returns the tag, the client's where it names a compressed answer, by which
// If-None-Match (RFC 9110, section 13.1.2, weak comparison) names the content, or
// empty.
func (x *Exchange) has(tag string) (string, error) {
	if x.R.Header["If-None-Match"] == nil {
		return "", nil
	}
	tags, err := x.entityTags("If-None-Match")
	if err != nil {
		return "", err
	}
	for _, t := range tags {
		if t == "*" {
			return tag, nil
		}
		if strong := strings.TrimPrefix(t, "W/"); plain(strong) == tag {
			return strong, nil // ours are strong, whatever the client made of them
		}
	}
	return "", nil
}

// CheckNoneMatch returns a 400 unless the request's If-None-Match parses or is
// absent.
func (x *Exchange) CheckNoneMatch() error {
	_, err := x.has("")
	return err
}

// MatchHeader is a request's If-Match.
type MatchHeader struct{ tags []string }

// ReadMatch returns the request's If-Match, or a 400 that says how to write it.
func (x *Exchange) ReadMatch() (MatchHeader, error) {
	if x.R.Header["If-Match"] == nil {
		return MatchHeader{}, nil
	}
	tags, err := x.entityTags("If-Match")
	return MatchHeader{tags}, err
}

// Check returns a 412 unless the header is absent or names the current record
// (RFC 9110, section 13.1.1, strong comparison).
func (m MatchHeader) Check(current any) error {
	if m.tags == nil {
		return nil
	}
	body, err := Encode(current)
	if err != nil {
		return err
	}
	tag := entityTag(body)
	for _, t := range m.tags {
		if t == "*" || plain(t) == tag {
			return nil
		}
	}
	return &Error{
		Status:  http.StatusPreconditionFailed,
		Code:    "precondition_failed",
		Message: "the record is not the one that If-Match names: its ETag is " + tag + " now; read it again before you change it",
		Details: []Detail{{Field: "If-Match", Message: "does not name the current record"}},
	}
}

// plain returns the tag of the answer before it was compressed.
func plain(tag string) string {
	return strings.Replace(tag, GzipSuffix+`"`, `"`, 1)
}

// entityTags parses a list of entity tags (RFC 9110, section 8.8.3), or *.
func (x *Exchange) entityTags(header string) ([]string, error) {
	value := strings.Join(x.R.Header[header], ",")
	bad := func() ([]string, error) {
		return nil, BadParameter(Detail{
			Field:   header,
			Message: `must be * or a list of entity tags in double quotes, such as "5d41402a", not ` + quote(value),
		})
	}
	rest := strings.Trim(value, " \t")
	if rest == "*" {
		return []string{"*"}, nil
	}
	var tags []string
	for {
		rest = strings.TrimLeft(rest, " \t,")
		if rest == "" {
			break
		}
		tag := rest
		opaque, _ := strings.CutPrefix(tag, "W/")
		if !strings.HasPrefix(opaque, `"`) {
			return bad()
		}
		end := strings.IndexByte(opaque[1:], '"')
		if end < 0 {
			return bad()
		}
		length := len(tag) - len(opaque) + end + 2
		tags = append(tags, tag[:length])
		rest = strings.TrimLeft(tag[length:], " \t")
		if rest != "" && rest[0] != ',' {
			return bad()
		}
	}
	if len(tags) == 0 {
		return bad()
	}
	return tags, nil
}
