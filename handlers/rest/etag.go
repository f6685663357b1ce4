package rest

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.com/petstore/store/field"
)

// GzipSuffix stands at the end of the entity tag of a compressed answer, whose
// bytes are others than the plain one's (RFC 9110, section 8.8.3.3). For
// preconditions both name the same record.
const GzipSuffix = "-gzip"

// entityTag returns a strong entity tag of the content. It goes by a hash that is quick
// and not one against forgers: who writes the records has nothing to forge.
func entityTag(body []byte) string { return tagOf(xxhash.Sum64(body)) }

// listTag returns a strong entity tag of a page, which was written to the hash, and of how
// many items there are in all, which its headers tell.
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

// plain returns the tag of the answer before it was compressed.
func plain(tag string) string {
	return strings.Replace(tag, GzipSuffix+`"`, `"`, 1)
}

// entityTags parses the header as a list of entity tags (RFC 9110, section 8.8.3), or
// *; nil: it is absent.
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
