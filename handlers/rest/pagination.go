package rest

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// Bounds of a page.
const (
	DefaultLimit = 20
	MaxLimit     = 1000
)

// maxLinkedQuery is the longest query that Link repeats, several times: many clients accept at most
// 8 KiB of headers.
const maxLinkedQuery = 1500

// Paging reads limit, offset and sort. sort accepts the fields, with a leading - for descending
// order.
func (q *Query) Paging(fields ...string) store.Paging {
	return store.Paging{
		Limit:  int(q.Int("limit", DefaultLimit, 1, MaxLimit)),
		Offset: int(q.Int("offset", 0, 0, math.MaxInt)),
		Sort:   q.sort(fields),
	}
}

func (q *Query) sort(fields []string) store.Sort {
	text, ok := q.one("sort")
	if !ok {
		return store.Sort{}
	}
	name, desc := strings.CutPrefix(text, "-")
	if !slices.Contains(fields, name) {
		q.problem("sort", "must be "+field.Or(fields)+", with a - before it for descending, not "+field.Quote(text))
	}
	return store.Sort{Field: name, Desc: desc}
}

// List writes a page as a bare array with X-Total-Count, Link (RFC 8288) and an entity tag: 304 if
// the client has the page already, 412 if If-Match names another.
func List[T Record](x *Exchange, page store.Page[T], p store.Paging) error {
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	body := takeBuffer()
	defer releaseBuffer(body)
	list := encodeList(page.Items, page.Total, body)
	if done, err := x.precondition(conditions, list.tag); done || err != nil {
		return err
	}
	x.SetHeader("X-Total-Count", strconv.Itoa(page.Total))
	if len(x.R.URL.RawQuery) <= maxLinkedQuery {
		header := x.W.Header()
		header["Link"] = append(header["Link"], pageLinks(x, p, page.Total))
	}
	return list.send(x)
}

// pageLinks returns the links to the other pages. They keep the client's offset modulo limit, so
// that following next ends at last.
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
		links = append(append(append(links, `>; rel="`...), rel...), '"')
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
