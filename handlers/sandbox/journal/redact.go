package journal

import (
	"bytes"
	"net/url"
	"strings"
)

// redacted stands in the journal for what must not be in it.
const redacted = "[redacted]"

// secret reports whether what has the name, a header or a query parameter, may be a key
// or a password: it goes by the words in the name, in either case, with hyphens and
// underscores or without.
func secret(name string) bool {
	if harmless(name) {
		return false
	}
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

// harmless reports whether the name is one of those that nearly all requests and
// responses have, so that no time is lost on them.
func harmless(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Accept-Language", "Access-Control-Allow-Credentials", "Access-Control-Allow-Origin",
		"Access-Control-Expose-Headers", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Type",
		"Deprecation", "Etag", "If-None-Match", "Link", "Location", "Origin", "Referer", "Sunset", "User-Agent", "Vary", "Warning",
		"X-Client", "X-Content-Type-Options", "X-Request-Id", "X-Sandbox", "X-Stability", "X-Total-Count",
		"limit", "offset", "sort", "status", " rel":
		return true
	}
	return false
}

// redactAddresses returns the value of a header without the keys in the queries of the
// addresses in it, such as that of a page.
func redactAddresses(value string) string {
	if address, query, ok := strings.Cut(value, "?"); ok {
		if plain := redactQuery(query); plain != query {
			return address + "?" + plain
		}
	}
	return value
}

// redactQuery returns a query without the keys in it. It takes for a key what any
// parser might. A question mark begins another query: there may be several addresses in
// one header.
func redactQuery(raw string) string {
	if !strings.Contains(raw, "=") {
		return raw
	}
	var b strings.Builder // stays empty while there is no key
	done := 0             // how much of raw is in b
	for start := 0; start < len(raw); {
		end := len(raw)
		if i := strings.IndexAny(raw[start:], "&;?"); i >= 0 {
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
