package journal

import (
	"fmt"
	"testing"
)

// TestWords wants every word, and every other text, back as it was; a word in at most two bytes.
func TestWords(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for i, word := range words {
		text := appendWord(nil, word)
		if most := min(2, 1+i/64); len(text) > most {
			t.Errorf("%s takes %d bytes, want %d", word, len(text), most)
		}
		if got := cutWord(&text); string(got) != word || len(text) > 0 || seen[word] {
			t.Errorf("%s comes back as %s, with %d bytes more; there before: %t", word, got, len(text), seen[word])
		}
		seen[word] = true
	}
	for _, other := range []string{"", "x", "get", "application/xml", fmt.Sprintf("%1000s", "long")} {
		text := appendWord(nil, other) // a header that is empty ends the others, and no word does
		if got := cutWord(&text); string(got) != other || len(text) > 0 {
			t.Errorf("%s comes back as %s", other, got)
		}
	}
}

// TestUsualEntriesAreShort wants a sandbox with twenty usual writes to hold little.
func TestUsualEntriesAreShort(t *testing.T) {
	t.Parallel()
	j := newJournal(1000)
	for i := range 20 {
		created := []byte(fmt.Sprintf(`{"id":%d,"name":"Rex","categoryId":3,"status":"available"}`, i))
		j.Add(&Request{
			ID: "req-1000", OperationID: "createPet", Client: "127.0.0.1", Method: "POST", Host: "127.0.0.1:8080", Path: "/pets", Protocol: "HTTP/1.1", Status: 201,
			Message: Message{Body: []byte(`{"name":"Rex","categoryId":3}`), Size: 29, Headers: map[string][]string{
				"Accept": {"*/*"}, "Content-Length": {"29"}, "Content-Type": {"application/json"}, "User-Agent": {"curl/8.14.1"},
			}},
			Response: &Answer{201, Message{Body: created, Size: int64(len(created)), Headers: map[string][]string{
				"Cache-Control": {"no-cache"}, "Content-Length": {"60"}, "Content-Type": {"application/json"}, "Etag": {`"ede168dc198d3097"`},
				"Location": {"/sandboxes/s1/pets/101"}, "Vary": {"Origin, Accept-Encoding, X-Sandbox, Prefer"}, "X-Content-Type-Options": {"nosniff"},
				"X-Request-Id": {"req-1000"}, "X-Sandbox": {"s1"},
			}}},
		})
	}
	if n := j.Bytes(); n > 8<<10 {
		t.Errorf("twenty usual writes hold %d bytes, want at most 8 KiB", n)
	}
}
