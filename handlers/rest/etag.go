package rest

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.com/petstore/store/field"
)

// GzipSuffix ends the entity tag of a compressed response, whose bytes differ from the plain ones
// (RFC 9110, section 8.8.3.3). In preconditions, both tags name the same record.
const GzipSuffix = "-gzip"

// entityTag returns a strong entity tag of the content. Its hash is fast and not forgery-proof:
// clients write the records anyway.
func entityTag(body []byte) string { return tagOf(xxhash.Sum64(body)) }

// listTag returns a strong entity tag of a page whose items were written to hash. It includes the
// total, which the headers contain.
func listTag(hash *xxhash.Digest, total int) string {
	_, _ = hash.Write(strconv.AppendInt(nil, int64(total), 10))
	return tagOf(hash.Sum64())
}

func tagOf(sum uint64) string {
	const digits = 16
	tag := make([]byte, 0, 1+digits+1)
	tag = append(tag, '"')
	tag = hex.AppendEncode(tag, binary.BigEndian.AppendUint64(nil, sum))
	return string(append(tag, '"'))
}

// plain returns the tag of the response before compression.
func plain(tag string) string {
	return strings.Replace(tag, GzipSuffix+`"`, `"`, 1)
}

// entityTags parses a header as a list of entity tags (RFC 9110, section 8.8.3) or *. It returns
// nil if the header is absent.
func (x *Exchange) entityTags(header string) ([]string, error) {
	if x.R.Header[header] == nil {
		return nil, nil
	}
	value := strings.Join(x.R.Header[header], ",")
	bad := func() ([]string, error) {
		return nil, BadParameter(field.Problem{
			Field:   header,
			Message: `must be * or a list of entity tags in double quotes, such as "5d41402a", not ` + field.Quote(value),
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
