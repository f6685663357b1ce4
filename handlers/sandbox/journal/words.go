package journal

import "encoding/binary"

// words are strings that many entries contain. The journal stores a word as its number; for the
// first 64 words, that takes one byte. The numbers are never stored outside the process, so the
// list may change.
var words = [...]string{
	// Headers of requests and responses
	"Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection", "Content-Length",
	"Content-Type", "Etag", "Location", "Origin", "Referer", "User-Agent", "Vary", "X-Content-Type-Options",
	"X-Petstore-Replica", "X-Request-Id", "X-Sandbox", "X-Client", "Link", "X-Total-Count",
	"Access-Control-Allow-Credentials", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Deprecation",
	"Sunset", "Warning", "X-Stability", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Ch-Ua",
	"Sec-Ch-Ua-Mobile", "Sec-Ch-Ua-Platform", "X-Forwarded-For",
	// Header values
	"*/*", "application/json", "no-cache", "nosniff", "Origin, Accept-Encoding, X-Sandbox, Prefer", "gzip",
	"gzip, deflate, br",
	"gzip, deflate, br, zstd", "gzip, deflate", "keep-alive", "true", "empty", "cors", "same-origin", "beta", redacted,
	// Methods and protocols
	"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "HTTP/1.1", "HTTP/2.0",
	// Less frequent
	"application/merge-patch+json", "Content-Encoding", "Forwarded", "Idempotency-Key", "Idempotency-Replayed",
	"If-Match", "If-None-Match", "Prefer", "Preference-Applied", "Ratelimit", "Ratelimit-Policy", "Retry-After",
	"Traceparent", "Via", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Www-Authenticate",
}

const wordSlotCount = 512

// wordSlots is a hash table. A slot has the number of a word plus one, or 0 if it is free. If two
// words have the same slot, the second one gets the next free slot. Each header needs two lookups,
// so the table matters: it is several times faster than a map.
var wordSlots = func() (slots [wordSlotCount]uint8) {
	for i, word := range words {
		at := slotOf(word)
		for slots[at] != 0 {
			at = (at + 1) % wordSlotCount
		}
		slots[at] = uint8(i + 1)
	}
	return slots
}()

// slotOf returns the first slot to try for s, which must not be empty.
func slotOf(s string) uint {
	n := len(s)
	return (uint(n) + 3*uint(s[0]) + 7*uint(s[n/2]) + 31*uint(s[n-1])) % wordSlotCount
}

// appendWord appends a text. If words contains the text, it is encoded as twice its index plus one.
// Any other text is encoded as twice its length, followed by the text itself.
func appendWord(b []byte, s string) []byte {
	if s == "" {
		return append(b, 0)
	}
	for at := slotOf(s); wordSlots[at] != 0; at = (at + 1) % wordSlotCount {
		if number := wordSlots[at] - 1; words[number] == s {
			return binary.AppendUvarint(b, uint64(number)<<1|1)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(s))<<1)
	return append(b, s...)
}

// cutWord removes the first text that appendWord wrote, and returns it.
func cutWord[T string | []byte](text *T) T {
	head := cutUvarint(text)
	if head&1 == 1 {
		return T(words[head>>1])
	}
	s := (*text)[:head>>1]
	*text = (*text)[head>>1:]
	return s
}

// varies reports whether the named header usually has a different value in each request or response
// of a client.
func varies(name string) bool {
	switch name {
	case "Content-Length", "Etag", "Idempotency-Key", "If-Match", "If-None-Match", "Link", "Location", "Traceparent",
		"X-Request-Id",
		"X-Total-Count":
		return true
	}
	return false
}
