package journal

import (
	"encoding/binary"
	"sync"
)

// words are texts that most entries contain. In memory, a word is replaced by its number; the first
// 64 take one byte. The numbers exist only in this process, so the list may change.
var words = [...]string{
	// Headers of requests and responses
	"Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection", "Content-Length", "Content-Type",
	"Etag", "Location", "Origin", "Referer", "User-Agent", "Vary", "X-Content-Type-Options", "X-Petstore-Replica", "X-Request-Id",
	"X-Sandbox", "X-Client", "Link", "X-Total-Count", "Access-Control-Allow-Credentials", "Access-Control-Allow-Origin",
	"Access-Control-Expose-Headers", "Deprecation", "Sunset", "Warning", "X-Stability", "Sec-Fetch-Dest", "Sec-Fetch-Mode",
	"Sec-Fetch-Site", "Sec-Ch-Ua", "Sec-Ch-Ua-Mobile", "Sec-Ch-Ua-Platform", "X-Forwarded-For",
	// Header values
	"*/*", "application/json", "no-cache", "nosniff", "Origin, Accept-Encoding, X-Sandbox, Prefer", "gzip", "gzip, deflate, br",
	"gzip, deflate, br, zstd", "gzip, deflate", "keep-alive", "true", "empty", "cors", "same-origin", "beta", redacted,
	// Methods and protocols
	"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "HTTP/1.1", "HTTP/2.0",
	// Less frequent
	"application/merge-patch+json", "Content-Encoding", "Forwarded", "Idempotency-Key", "Idempotency-Replayed", "If-Match",
	"If-None-Match", "Prefer", "Preference-Applied", "Ratelimit", "Ratelimit-Policy", "Retry-After", "Traceparent", "Via",
	"X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Www-Authenticate",
}

var wordNumbers = sync.OnceValue(func() map[string]uint64 {
	numbers := make(map[string]uint64, len(words))
	for i, word := range words {
		numbers[word] = uint64(i)
	}
	return numbers
})

// appendWord appends a text: for a word twice its number plus one, otherwise twice its length
// followed by the text.
func appendWord(b []byte, s string) []byte {
	if number, ok := wordNumbers()[s]; ok {
		return binary.AppendUvarint(b, number<<1|1)
	}
	b = binary.AppendUvarint(b, uint64(len(s))<<1)
	return append(b, s...)
}

// cutWord removes the first text of appendWord from a text.
func cutWord[T string | []byte](text *T) T {
	head := cutUvarint(text)
	if head&1 == 1 {
		return T(words[head>>1])
	}
	s := (*text)[:head>>1]
	*text = (*text)[head>>1:]
	return s
}
