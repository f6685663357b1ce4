package journal

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// redacted stands in the journal for what must not be in it.
const redacted = "[redacted]"

// appendText appends what of a request is text, each string behind its length. It
// reports whether the body was cut.
func appendText(b []byte, r *Request) (text []byte, truncated bool) {
	body := r.Body
	if len(body) > maxJournalBody {
		truncated = true
		body = body[:maxJournalBody]
		for !utf8.RuneStart(r.Body[len(body)]) && len(body) > maxJournalBody-utf8.UTFMax {
			body = body[:len(body)-1] // not in the middle of a character
		}
	}
	b = appendString(b, r.ID)
	b = appendString(b, r.OperationID)
	b = appendString(b, r.Method)
	b = appendString(b, r.Path)
	b = appendString(b, redactQuery(r.Query))
	b = appendString(b, r.Client)
	b = binary.AppendUvarint(b, uint64(len(body)))
	b = append(b, body...)
	for name, values := range r.Headers {
		b = appendString(b, name)
		b = appendHeader(b, name, values)
	}
	return b, truncated
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// appendHeader appends the values of a header as one string. One may be an address,
// such as that of a page, whose query holds a key.
func appendHeader(b []byte, name string, values []string) []byte {
	if secret(name) {
		return appendString(b, redacted)
	}
	value := strings.Join(values, ", ")
	if address, query, ok := strings.Cut(value, "?"); ok {
		if plain := redactQuery(query); plain != query {
			value = address + "?" + plain
		}
	}
	return appendString(b, value)
}

// secret reports whether what has the name, a header or a query parameter, may be a key
// or a password: it goes by the words in the name, in either case, with hyphens and
// underscores or without.
func secret(name string) bool {
	var on [64]byte // the stack, enough for most
	plain := on[:0]
	for i := range len(name) {
		switch c := name[i]; {
		case c == '-' || c == '_':
		case 'A' <= c && c <= 'Z':
			plain = append(plain, c-'A'+'a')
		default:
			plain = append(plain, c)
		}
	}
	for _, word := range [...]string{"authorization", "cookie", "token", "apikey", "secret", "password"} {
		if bytes.Contains(plain, []byte(word)) {
			return true
		}
	}
	return false
}

// redactQuery returns a query without the keys in it. It takes for a key what any
// parser might.
func redactQuery(raw string) string {
	if !strings.Contains(raw, "=") {
		return raw
	}
	var b strings.Builder // stays empty while there is no key
	done := 0             // how much of raw is in b
	for start := 0; start < len(raw); {
		end := len(raw)
		if i := strings.IndexAny(raw[start:], "&;"); i >= 0 {
			end = start + i
		}
		if name, _, ok := strings.Cut(raw[start:end], "="); ok && bearsKey(name) {
			b.WriteString(raw[done : start+len(name)+1])
			b.WriteString(redacted)
			done = end
		}
		start = end + 1
	}
	if done == 0 {
		return raw
	}
	b.WriteString(raw[done:])
	return b.String()
}

func bearsKey(name string) bool {
	if strings.ContainsAny(name, "%+") {
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
	}
	return secret(name)
}

// stored is an entry as the journal keeps it, its text to be read bit by bit.
type stored struct {
	record
	requestID, operationID, method, path string
	rest                                 string // query, client, body, headers
}

func (r record) unpack(text string) stored {
	s := stored{record: r, rest: text}
	s.requestID = cutString(&s.rest)
	s.operationID = cutString(&s.rest)
	s.method = cutString(&s.rest)
	s.path = cutString(&s.rest)
	return s
}

func (r record) entry(text string) *Entry { return r.unpack(text).entry() }

func (s stored) entry() *Entry {
	e := &Entry{
		ID: s.id, Time: s.time, RequestID: s.requestID, OperationID: s.operationID, Method: s.method, Path: s.path,
		BodyTruncated: s.truncated, Status: s.status, Fault: s.fault,
		DurationMS: float64(s.duration.Round(time.Microsecond)) / float64(time.Millisecond),
		Headers:    make(map[string]string),
	}
	rest := s.rest
	e.Query = cutString(&rest)
	e.Client = cutString(&rest)
	e.Body = cutString(&rest)
	for rest != "" {
		name := cutString(&rest)
		e.Headers[name] = cutString(&rest)
	}
	return e
}

// cutString takes the first string off a text.
func cutString(text *string) string {
	var head [binary.MaxVarintLen64]byte
	copy(head[:], *text)
	length, n := binary.Uvarint(head[:])
	s := (*text)[n : n+int(length)]
	*text = (*text)[n+int(length):]
	return s
}
