package journal

import (
	"net/url"
	"slices"
	"strings"
)

// redacted is the text that replaces each secret in the journal.
const redacted = "[redacted]"

// secretWords are words in the names of secrets, such as passwords. A name that contains one of
// them names a secret. The comparison ignores case and separators.
var secretWords = [...]string{
	"authorization", "cookie", "token", "apikey", "secret", "password", "passwd", "passphrase", "signature", "session",
	"bearer", "jwt",
}

// isSecret reports whether a header or a query parameter with the given name may contain a key or a
// password. A short word such as "key" must be a whole word of the name, as in "X-Key" and
// "accessKey" but not in "monkey".
func isSecret(name string) bool {
	switch name { // not secret: common names, to save time, and names that only look like secrets
	case "Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Allow-Credentials",
		"Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Cache-Control", "Connection",
		"Content-Encoding", "Content-Length", "Content-Type", "Deprecation", "Etag", "If-None-Match", "Link",
		"Location", "Origin", "Referer", "Sunset", "User-Agent", "Vary", "Warning", "X-Client",
		"X-Content-Type-Options", "X-Request-Id", "X-Sandbox", "X-Stability", "X-Total-Count", "limit", "offset",
		"sort", "status", "id", "categoryId", "name", "petId", "complete", "maxQuantity", " rel",
		"Idempotency-Key", "idempotency-key", "Sec-Websocket-Key":
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
			if isShortSecret(plain[word:]) {
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
	return isShortSecret(plain[word:]) ||
		slices.ContainsFunc(secretWords[:], func(w string) bool { return strings.Contains(string(plain), w) })
}

func isShortSecret(word []byte) bool {
	switch string(word) {
	case "key", "pass", "pwd", "sig", "auth":
		return true
	}
	return false
}

// Keys is a function that reports whether a text is a key of the server or of a sandbox, possibly
// percent-encoded. If it is nil, no text is a key.
type Keys func(text string) bool

// redactAddresses returns a header value with "[redacted]" in place of the secrets in its URLs. These
// are the segments of the first URL's path that are keys, and what [Keys.redactQuery] finds after
// the first question mark.
func (k Keys) redactAddresses(value string) string {
	address, _, _ := strings.Cut(value, "?")
	if strings.HasPrefix(address, "/") || strings.Contains(address, "://") {
		before := len(address)
		address = k.RedactPath(address)
		value = address + value[before:]
	}
	return k.redactQuery(value, len(address)+len("?"))
}

// Redact returns "[redacted]" if the text is a key or credentials such as "Bearer KEY". Otherwise
// it returns the text.
func (k Keys) Redact(text string) string {
	if k.inHeader(text) {
		return redacted
	}
	return text
}

// inHeader reports whether a header value is a key, or credentials (RFC 9110, section 11.4) that
// have the scheme Bearer or contain a key.
func (k Keys) inHeader(value string) bool {
	scheme, credentials, ok := strings.Cut(value, " ")
	return k.has(value) || ok && (strings.EqualFold(scheme, "Bearer") || k.has(credentials))
}

// RedactPath returns the path with "[redacted]" in place of each segment that is a key.
func (k Keys) RedactPath(path string) string {
	for start := 0; start <= len(path); {
		segment, _, _ := strings.Cut(path[start:], "/")
		end := start + len(segment)
		if k.has(segment) {
			path = path[:start] + redacted + path[end:]
			end = start + len(redacted)
		}
		start = end + 1
	}
	return path
}

// redactQuery returns the text with the secrets in its query redacted. The query begins at the
// position start. The secrets are keys, and the values of parameters whose names mark them as
// secret; see [isSecret]. Some parsers end a parameter at a semicolon and others do not, so
// redactQuery redacts every text that any of them would read as a secret. A question mark may start
// another query, because a header may contain several URLs.
func (k Keys) redactQuery(text string, start int) string {
	for start < len(text) {
		parameter, _, _ := strings.Cut(text[start:], "&")
		from, to, found := k.findSecret(parameter)
		if found {
			text = text[:start+from] + redacted + text[start+to:]
			to = from + len(redacted)
		}
		if start += to; start < len(text) && text[start] != '=' {
			start++ // one byte separates two parameters or values
		}
	}
	return text
}

// findSecret returns the position of the first secret in a query parameter, or the end of the
// parameter.
func (k Keys) findSecret(parameter string) (from, to int, found bool) {
	if k.has(parameter) {
		return 0, len(parameter), true
	}
	name, named := 0, true // the start of the next name, and whether the name is after the previous "="
	for from < len(parameter) {
		to = len(parameter)
		if length := strings.IndexAny(parameter[from:], "=;?>,"); length >= 0 {
			to = from + length
		}
		if k.has(parameter[from:to]) {
			return from, to, true
		}
		from = to + 1
		switch separator := parameter[to:min(from, len(parameter))]; {
		case separator == "=" && k.has(parameter[name:to]):
			return name, to, true
		case separator == "=" && (isSecret(unescaped(parameter[name:to])) || k.has(parameter[from:])):
			return from, len(parameter), true
		case separator == "=":
			named = false
		case !named && (separator == ";" || separator == "?"):
			name, named = from, true
		}
	}
	return 0, len(parameter), false
}

func (k Keys) has(text string) bool { return k != nil && k(text) }

// unescaped decodes a percent-encoded text. A plus sign stays, because no key contains a space.
func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
