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

// Keys reports whether a text is a key that the server knows. Nil knows none.
type Keys func(text string) bool

// redactAddresses returns the value of a header without the keys in its URLs, such as a page's.
func (k Keys) redactAddresses(value string) string {
	address, query, ok := strings.Cut(value, "?")
	if strings.HasPrefix(address, "/") || strings.Contains(address, "://") {
		address = k.RedactPath(address)
	}
	if !ok {
		return address
	}
	return address + "?" + k.redactQuery(query)
}

// Redact returns the text, or "[redacted]" if it is a key or credentials such as "Bearer KEY".
func (k Keys) Redact(text string) string {
	if k.in(text) {
		return redacted
	}
	return text
}

// in reports whether the value of a header is a key or credentials (RFC 9110, section 11.4).
func (k Keys) in(value string) bool {
	scheme, credentials, ok := strings.Cut(value, " ")
	return k.is(value) || ok && (strings.EqualFold(scheme, "Bearer") || k.is(credentials))
}

// RedactPath returns a path without the keys among its segments.
func (k Keys) RedactPath(path string) string {
	for start := 0; start <= len(path); {
		end := len(path)
		if i := strings.IndexByte(path[start:], '/'); i >= 0 {
			end = start + i
		}
		segment := path[start:end]
		if plain, err := url.PathUnescape(segment); k.is(segment) || err == nil && plain != segment && k.is(plain) {
			path = path[:start] + redacted + path[end:]
			end = start + len(redacted)
		}
		start = end + 1
	}
	return path
}

// redactQuery returns a query without the keys in it. It redacts whatever any parser may take for a
// key: some end a parameter at a semicolon, others include it. A question mark starts another
// query, because a header may contain several URLs.
func (k Keys) redactQuery(raw string) string {
	var b strings.Builder // empty until a key is found
	done := 0             // the length of raw that is in b
	for start := 0; start < len(raw); {
		end := len(raw)
		if i := strings.IndexByte(raw[start:], '&'); i >= 0 {
			end = start + i
		}
		if from, to, found := k.findKey(raw[start:end]); found {
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
func (k Keys) findKey(parameter string) (from, to int, found bool) {
	if k.is(unescaped(parameter)) {
		return 0, len(parameter), true
	}
	name := 0 // the start of the name before the next "="
	for at := strings.IndexByte(parameter, '='); at >= 0; {
		value := at + 1
		if k.is(unescaped(parameter[name:at])) {
			return name, at, true
		}
		if secret(unescaped(parameter[name:at])) || k.is(unescaped(parameter[value:])) {
			return value, len(parameter), true
		}
		if i := strings.IndexAny(parameter[value:], ";?>,"); i >= 0 && k.is(unescaped(parameter[value:value+i])) {
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

func (k Keys) is(value string) bool { return k != nil && k(value) }

func unescaped(text string) string {
	if strings.ContainsAny(text, "%+") {
		if plain, err := url.QueryUnescape(text); err == nil {
			return plain
		}
	}
	return text
}
