package journal

import (
	"net/url"
	"slices"
	"strings"
)

// redacted replaces secrets in the journal.
const redacted = "[redacted]"

// secretWords mark a name as that of a secret if they occur anywhere in it. Names are compared in
// lower case and without separators.
var secretWords = [...]string{
	"authorization", "cookie", "token", "apikey", "secret", "password", "passwd", "passphrase", "signature", "session",
	"bearer", "jwt",
}

// secret reports whether a header or query parameter with the name may contain a key or a password.
// Short words such as "key" must be a whole word of the name, as in "X-Key" and "accessKey" but not
// in "monkey".
func secret(name string) bool {
	if harmless(name) {
		return false
	}
	var onStack [64]byte // large enough for most names
	plain := onStack[:0]
	word := 0 // the start of the current word in plain
	lower := false
	for i := range len(name) {
		c := name[i]
		upper := 'A' <= c && c <= 'Z'
		letter := upper || 'a' <= c && c <= 'z'
		if !letter || upper && lower { // a separator, or the next word in camel case
			if shortSecret(plain[word:]) {
				return true
			}
			word = len(plain)
		}
		switch {
		case upper:
			plain = append(plain, c-'A'+'a')
		case letter:
			plain = append(plain, c)
		}
		lower = letter && !upper
	}
	return shortSecret(plain[word:]) || slices.ContainsFunc(secretWords[:], func(w string) bool { return strings.Contains(string(plain), w) })
}

func shortSecret(word []byte) bool {
	switch string(word) {
	case "key", "pass", "pwd", "sig", "auth":
		return true
	}
	return false
}

// harmless reports whether the name is one that nearly all requests and responses have, which saves
// time, or one that only resembles a secret's.
func harmless(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Allow-Credentials", "Access-Control-Allow-Origin",
		"Access-Control-Expose-Headers", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Type",
		"Deprecation", "Etag", "If-None-Match", "Link", "Location", "Origin", "Referer", "Sunset", "User-Agent", "Vary", "Warning",
		"X-Client", "X-Content-Type-Options", "X-Request-Id", "X-Sandbox", "X-Stability", "X-Total-Count",
		"limit", "offset", "sort", "status", " rel",
		"Idempotency-Key", "idempotency-key", "Sec-Websocket-Key":
		return true
	}
	return false
}

// redactAddresses returns the value of a header without the keys in the queries of its URLs, such
// as a page's.
func (j *Journal) redactAddresses(value string) string {
	if address, query, ok := strings.Cut(value, "?"); ok {
		if plain := j.redactQuery(query); plain != query {
			return address + "?" + plain
		}
	}
	return value
}

// Redact returns the text, or "[redacted]" if it is a key that the server knows.
func (j *Journal) Redact(text string) string {
	if j.isKey(text) {
		return redacted
	}
	return text
}

// redactQuery returns a query without the keys in it. It redacts whatever any parser may take for a
// key: some end a parameter at a semicolon, others include it. A question mark starts another
// query, because a header may contain several URLs.
func (j *Journal) redactQuery(raw string) string {
	var b strings.Builder // empty until a key is found
	done := 0             // the length of raw that is in b
	for start := 0; start < len(raw); {
		end := len(raw)
		if i := strings.IndexByte(raw[start:], '&'); i >= 0 {
			end = start + i
		}
		if from, to, found := j.findKey(raw[start:end]); found {
			b.WriteString(raw[done : start+from])
			b.WriteString(redacted)
			done = start + to
		}
		start = end + 1
	}
	if b.Len() == 0 {
		return raw
	}
	b.WriteString(raw[done:])
	return b.String()
}

// findKey returns the place of a key in a parameter.
func (j *Journal) findKey(parameter string) (from, to int, found bool) {
	if j.isKey(unescaped(parameter)) {
		return 0, len(parameter), true
	}
	name := 0 // the start of the name before the next "="
	for at := strings.IndexByte(parameter, '='); at >= 0; {
		value := at + 1
		if j.isKey(unescaped(parameter[name:at])) {
			return name, at, true
		}
		if secret(unescaped(parameter[name:at])) || j.isKey(unescaped(parameter[value:])) {
			return value, len(parameter), true
		}
		if i := strings.IndexAny(parameter[value:], ";?>,"); i >= 0 && j.isKey(unescaped(parameter[value:value+i])) {
			return value, value + i, true
		}
		next := strings.IndexByte(parameter[value:], '=')
		if next < 0 {
			break
		}
		at = value + next
		if i := strings.IndexAny(parameter[value:at], ";?"); i >= 0 {
			name = value + i + 1
		}
	}
	return 0, 0, false
}

func (j *Journal) isKey(value string) bool { return j.IsKey != nil && j.IsKey(value) }

func unescaped(text string) string {
	if strings.ContainsAny(text, "%+") {
		if plain, err := url.QueryUnescape(text); err == nil {
			return plain
		}
	}
	return text
}
