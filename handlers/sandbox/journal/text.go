package journal

import (
	"encoding/binary"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// encoded is an entry as text: numbers, flags and strings, each string preceded by its length.
// Methods, protocols and headers are encoded as words. The fields that filters need come first.
type encoded struct {
	text []byte // the entry without its sets
	sets [2]set // the stable headers of the request and the response: those for which [varies] returns false
	at   [2]int // the positions of equal sets in the tape's newest chunk; 0 if there is none
}

// set is an encoded list of headers. Most requests of a client have the same stable headers, so a
// [tape] stores equal sets only once in each chunk. Equal sets have the same sum, whatever the order
// of their headers.
type set struct {
	text []byte
	sum  uint64 // the sum of the hashes of the headers
}

var seed = maphash.MakeSeed()

// Flags of an entry.
const (
	bodyCut byte = 1 << iota
	headersCut
	answerBodyCut
	answerHeadersCut
	answered
	secured

	answerShift = 2 // shifts bodyCut and headersCut to answerBodyCut and answerHeadersCut
)

// encode encodes a request and its response. It appends to the buffers b and headers, which must be
// empty.
func (j *Journal) encode(b, headers []byte, r *Request) encoded {
	b = append(b, 0) // flags
	b = binary.AppendUvarint(b, uint64(r.Status))
	b = binary.AppendUvarint(b, uint64(r.Before))
	b = binary.AppendUvarint(b, uint64(r.State-r.Before)) // a small number takes few bytes
	b = appendString(b, clip(r.OperationID, maxWord))
	b = appendWord(b, clip(r.Method, maxWord))
	b = appendString(b, clip(j.Keys.RedactPath(r.Path), maxText))

	b = appendTime(b, r.Time)
	b = appendTime(b, r.Came)
	b = binary.AppendUvarint(b, uint64(r.Duration))
	b = binary.AppendUvarint(b, uint64(r.Fault))
	b = binary.AppendUvarint(b, r.Draw)
	b = appendString(b, clip(j.Keys.Redact(r.ID), maxWord))
	b = appendString(b, clip(r.Client, maxWord))
	b = appendString(b, clip(r.Host, maxWord))
	b = appendWord(b, clip(r.Protocol, maxWord))
	b = appendString(b, clip(j.Keys.redactQuery(clip(r.Query, maxText), 0), maxText)) // redaction may lengthen it
	var e encoded
	var flags byte
	b, e.sets[0], flags = j.appendMessage(b, headers, &r.Message)
	if r.Secure {
		flags |= secured
	}
	if r.Response != nil {
		b = binary.AppendUvarint(b, uint64(r.Response.Status))
		var cut byte
		b, e.sets[1], cut = j.appendMessage(b, e.sets[0].text[len(e.sets[0].text):], &r.Response.Message)
		flags |= answered | cut<<answerShift
	}
	b[0] = flags
	e.text = b
	return e
}

// appendMessage appends the size, the body and the varying headers to b. It returns the stable
// headers as a set, encoded in buffer, which must be empty. If the body or the headers are
// incomplete, cut has the flag bodyCut or headersCut. If all headers together exceed maxHeaders,
// appendMessage appends to b only the headers that fit, and the set is empty.
func (j *Journal) appendMessage(b, buffer []byte, m *Message) (text []byte, stable set, cut byte) {
	body := field.Truncate(m.Body, MaxBody)
	if m.Body != nil && int64(len(body)) != m.Size {
		cut |= bodyCut
	}
	b = binary.AppendUvarint(b, uint64(m.Size+1)) // 0 if the size is unknown
	b = appendString(b, body)
	begin := len(b)
	stable.text = buffer
	for name, values := range m.Headers {
		if varies(name) {
			b, cut = j.appendHeader(b, name, values, cut)
			continue
		}
		at := len(stable.text)
		stable.text, cut = j.appendHeader(stable.text, name, values, cut)
		stable.sum += maphash.Bytes(seed, stable.text[at:])
	}
	if len(b)-begin+len(stable.text) > maxHeaders { // keep those that fit, in the order of their names
		b, stable, cut = b[:begin], set{}, cut|headersCut
		for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
			if text, _ := j.appendHeader(b, name, m.Headers[name], 0); len(text)-begin <= maxHeaders {
				b = text
			}
		}
	}
	return append(b, 0), stable, cut // an empty name ends the list
}

// appendHeader appends a header. It joins the values into one string and redacts the secrets in
// their URLs. If the name or a value is secret, it redacts all values. If the string does not fit,
// it adds headersCut to cut.
func (j *Journal) appendHeader(b []byte, name string, values []string, cut byte) ([]byte, byte) {
	b = appendWord(b, clip(name, maxWord))
	if isSecret(name) || slices.ContainsFunc(values, j.Keys.inHeader) {
		return appendWord(b, redacted), cut
	}
	value := strings.Join(values, ", ")
	if len(value) > maxText {
		cut |= headersCut
	}
	return appendWord(b, clip(j.Keys.redactAddresses(clip(value, maxText)), maxText)), cut
}

const ellipsis = "…"

// clip shortens a text to at most limit bytes. A shortened text ends in an ellipsis.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return field.Truncate(text, limit-len(ellipsis)) + ellipsis
}

func appendTime(b []byte, t time.Time) []byte {
	b = binary.AppendUvarint(b, uint64(t.Unix()))
	return binary.AppendUvarint(b, uint64(t.Nanosecond()))
}

func appendString[T string | ~[]byte](b []byte, s T) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// stored is an entry in the journal. Only the fields at the start of its text are parsed.
type stored struct {
	id, event                 int64
	flags                     byte
	status                    int
	before, state             int64
	operationID, method, path []byte
	rest                      []byte
	encoded
}

// parse parses the fields at the start of an entry; see [stored.entry].
func parse(id, event int64, e encoded) stored {
	s := stored{id: id, event: event, flags: e.text[0], rest: e.text[1:], encoded: e}
	s.status = int(cutUvarint(&s.rest))
	s.before = int64(cutUvarint(&s.rest))
	s.state = s.before + int64(cutUvarint(&s.rest))
	s.operationID = cutText(&s.rest)
	s.method = cutWord(&s.rest)
	s.path = cutText(&s.rest)
	return s
}

// entry parses all fields of the entry. The result shares no memory with the journal. undone is
// [Journal.Undone].
func (s stored) entry(undone func(state int64) bool) *Entry {
	rest := string(s.rest) // most strings of the entry are substrings of this one
	e := &Entry{
		ID: s.id, Status: s.status, OperationID: string(s.operationID), Method: string(s.method), Path: string(s.path),
		Scheme: "http", Changed: s.state != s.before,
		Undone:        s.state != s.before && undone != nil && undone(s.state),
		BodyTruncated: s.flags&bodyCut != 0, HeadersTruncated: s.flags&headersCut != 0,
	}
	if s.flags&secured != 0 {
		e.Scheme = "https"
	}
	e.Time, e.Came = cutTime(&rest), cutTime(&rest)
	e.DurationMS = float64(time.Duration(cutUvarint(&rest)).Round(time.Microsecond)) / float64(time.Millisecond)
	e.Fault = int64(cutUvarint(&rest))
	e.Draw = cutUvarint(&rest)
	e.RequestID = cutText(&rest)
	e.Client = cutText(&rest)
	e.Host = cutText(&rest)
	e.Protocol = cutWord(&rest)
	e.Query = cutText(&rest)
	e.BodySize, e.Body, e.Headers = cutMessage(&rest, s.sets[0])
	e.ClientName = lifecycle.ClientName(e.Headers["X-Client"], e.Headers["User-Agent"])
	if s.flags&answered != 0 {
		r := &Response{Status: int(cutUvarint(&rest)), BodyTruncated: s.flags&answerBodyCut != 0,
			HeadersTruncated: s.flags&answerHeadersCut != 0}
		r.BodySize, r.Body, r.Headers = cutMessage(&rest, s.sets[1])
		e.Response = r
	}
	return e
}

func cutMessage(text *string, stable set) (size int64, body string, headers map[string]string) {
	size, body, headers = int64(cutUvarint(text))-1, cutText(text), make(map[string]string)
	for name := cutWord(text); name != ""; name = cutWord(text) {
		headers[name] = cutWord(text)
	}
	for others := string(stable.text); others != ""; {
		name := cutWord(&others)
		headers[name] = cutWord(&others)
	}
	return size, body, headers
}

func cutTime(text *string) time.Time {
	seconds := int64(cutUvarint(text))
	return time.Unix(seconds, int64(cutUvarint(text))).UTC()
}

// cutText removes the first string from a text and returns it.
func cutText[T string | []byte](text *T) T {
	length := int(cutUvarint(text))
	s := (*text)[:length]
	*text = (*text)[length:]
	return s
}

// cutUvarint removes the first number from a text and returns it.
func cutUvarint[T string | []byte](text *T) uint64 {
	var head [binary.MaxVarintLen64]byte
	copy(head[:], *text)
	v, n := binary.Uvarint(head[:])
	*text = (*text)[n:]
	return v
}
