package rest

import (
	"bytes"
	"io"
	"iter"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"example.com/petstore/handlers/sandbox/memory"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// The default and the maximum number of items on a page.
const (
	DefaultLimit = 20
	MaxLimit     = 1000
)

// maxLinkedQuery is the maximum length of a query that the Link header repeats. The header repeats
// it up to four times, and many clients accept at most 8 KiB of headers.
const maxLinkedQuery = 1500

// Paging returns the values of the parameters limit, offset and sort. sort must be one of the
// fields, with a leading - for descending order.
func (q *Query) Paging(fields ...string) store.Paging {
	return store.Paging{
		Limit:  int(q.Int("limit", DefaultLimit, 1, MaxLimit)),
		Offset: int(q.Int("offset", 0, 0, math.MaxInt)),
		Sort:   q.sort(fields),
	}
}

func (q *Query) sort(fields []string) store.Sort {
	text := q.Text("sort")
	if text == "" {
		return store.Sort{}
	}
	name, desc := strings.CutPrefix(text, "-")
	if !slices.Contains(fields, name) {
		q.Refuse("sort", "must be "+field.Or(fields)+", with a - before it for descending, not "+field.Quote(text))
	}
	return store.Sort{Field: name, Desc: desc}
}

// List writes a page as a JSON array, with X-Total-Count, an entity tag and, unless the query is
// longer than maxLinkedQuery, Link (RFC 8288). If If-None-Match shows that the client already has
// the page, List writes a 304 instead. The error is a 412 if If-Match does not match, a 400 if one
// of these two headers is malformed, or a [memory.Full].
func List[T store.Appender](x *Exchange, page store.Page[T], p store.Paging) error {
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	body := takeBuffer()
	defer releaseBuffer(body)
	var hash xxhash.Digest
	hash.Reset()
	size, pieces := 0, 0
	for part := range parts(page.Items, maxBuffer, body) {
		_, _ = hash.Write(part)
		size += len(part)
		pieces++
	}
	// The tag also depends on the total, because the response headers contain it.
	_, _ = hash.Write(strconv.AppendInt(nil, int64(page.Total), 10))
	held := int64(body.Len()) // not its capacity, which an earlier response may have enlarged
	switch {
	case pieces > 1:
		held = memory.Parts
	case held > PieceBytes:
		held = int64(body.Cap())
	}
	tag := tagOf(hash.Sum64())
	if done, err := x.precondition(conditions, tag); done || err != nil {
		return err
	}
	if err := x.Hold(held); err != nil {
		return err
	}
	x.SetHeader("Etag", tag)
	x.SetHeader("X-Total-Count", strconv.Itoa(page.Total))
	if len(x.R.URL.RawQuery) <= maxLinkedQuery {
		header := x.W.Header()
		header["Link"] = append(header["Link"], pageLinks(x, p, page.Total))
	}
	if pieces == 1 {
		body.WriteByte('\n')
		return x.Reply(http.StatusOK, typeJSON, body.Bytes())
	}
	return sendLong(x, page.Items, size, body)
}

// pageLinks returns the links to the first, previous, next and last pages. The offset of rel="last"
// is congruent to the client's offset modulo limit, so that a client that follows rel="next" ends
// there. If no item has such an offset, the offset of rel="last" is 0.
func pageLinks(x *Exchange, p store.Paging, total int) string {
	shift := p.Offset % p.Limit
	last := 0
	if total > shift {
		last = shift + (total-1-shift)/p.Limit*p.Limit
	}
	var others url.Values
	if x.R.URL.RawQuery != "" {
		others = x.R.URL.Query()
		others.Del("limit")
		others.Del("offset")
	}
	base := x.URL(x.Path) + "?"
	if len(others) > 0 {
		base += others.Encode() + "&"
	}
	base += "limit=" + strconv.Itoa(p.Limit) + "&offset="
	links := make([]byte, 0, 4*(len(base)+len(`<9223372036854775807>; rel="first", `)))
	link := func(offset int, rel string) {
		if len(links) > 0 {
			links = append(links, ", "...)
		}
		links = append(append(links, '<'), base...)
		links = strconv.AppendInt(links, int64(offset), 10)
		links = append(links, `>; rel="`+rel+`"`...)
	}
	link(0, "first")
	if p.Offset > 0 {
		link(min(max(0, p.Offset-p.Limit), last), "prev")
	}
	if p.Offset < last { // not offset+limit < total, which may overflow
		link(p.Offset+p.Limit, "next")
	}
	link(last, "last")
	return string(links)
}

// parts encodes the records as a JSON array and yields the array in parts of about size bytes. A
// part is valid until the next part is yielded. The last part stays in the buffer.
func parts[T store.Appender](records []T, size int, buffer *bytes.Buffer) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		buffer.Reset()
		b := append(buffer.AvailableBuffer(), '[')
		for i, record := range records {
			if len(b) >= size {
				if !yield(b) {
					return
				}
				b = b[:0]
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = record.AppendJSON(b)
		}
		buffer.Write(append(b, ']'))
		yield(buffer.Bytes())
	}
}

// sendLong writes a page that is too long for the buffer. The page is encoded twice: List has computed
// its tag and its size, and sendLong encodes it again in smaller parts.
func sendLong[T store.Appender](x *Exchange, records []T, size int, buffer *bytes.Buffer) error {
	*buffer = bytes.Buffer{} // free the memory that List used
	x.SetHeader("Content-Type", typeJSON)
	x.SetHeader("Content-Length", strconv.Itoa(size+len("\n")))
	x.W.WriteHeader(http.StatusOK)
	for part := range parts(records, PieceBytes, buffer) {
		if _, err := x.W.Write(part); err != nil {
			return nil // not an error of the operation: the client has disconnected
		}
	}
	_, _ = io.WriteString(x.W, "\n")
	return nil
}
