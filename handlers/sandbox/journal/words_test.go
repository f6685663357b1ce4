package journal

import (
	"fmt"
	"strings"
	"testing"
)

// TestWords checks that every word and every other text is decoded unchanged, and that a word
// takes at most two bytes.
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
		text := appendWord(nil, other) // an empty name ends the headers, so no word is empty
		if got := cutWord(&text); string(got) != other || len(text) > 0 {
			t.Errorf("%s comes back as %s", other, got)
		}
	}
}

// TestUsualEntriesAreShort checks that a sandbox with twenty typical writes takes little memory.
func TestUsualEntriesAreShort(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		request, response map[string]string
		most              int64
	}{
		"curl": {map[string]string{"Accept": "*/*", "User-Agent": "curl/8.14.1"}, nil, 6 << 10},
		"a browser": {map[string]string{
			"Accept": "application/json, text/plain, */*", "Accept-Encoding": "gzip, deflate, br, zstd",
			"Accept-Language": "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", "Connection": "keep-alive",
			"Origin": "http://localhost:5173", "Referer": "http://localhost:5173/",
			"Sec-Ch-Ua":        `"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"`,
			"Sec-Ch-Ua-Mobile": "?0", "Sec-Ch-Ua-Platform": `"Linux"`,
			"Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-site",
			"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		}, map[string]string{
			"Access-Control-Allow-Credentials": "true", "Access-Control-Allow-Origin": "http://localhost:5173",
			"Access-Control-Expose-Headers": strings.Repeat("X-Some-Header, ", 20),
		}, 8 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(1000)
			for i := range 20 {
				id, created := fmt.Sprint("req-", 1000+i), []byte(fmt.Sprintf(`{"id":%d,"name":"Rex","categoryId":3,"status":"available"}`, 101+i))
				request := map[string][]string{"Content-Length": {"29"}, "Content-Type": {"application/json"}}
				for name, value := range test.request {
					request[name] = []string{value}
				}
				response := map[string][]string{
					"Cache-Control": {"no-cache"}, "Content-Length": {"60"}, "Content-Type": {"application/json"}, "Etag": {fmt.Sprintf(`"ede168dc198d%d"`, 3000+i)},
					"Location": {fmt.Sprint("/sandboxes/s1/pets/", 101+i)}, "Vary": {"Origin, Accept-Encoding, X-Sandbox, Prefer"},
					"X-Content-Type-Options": {"nosniff"}, "X-Request-Id": {id}, "X-Sandbox": {"s1"},
				}
				for name, value := range test.response {
					response[name] = []string{value}
				}
				j.Add(&Request{
					ID: id, OperationID: "createPet", Client: "127.0.0.1", Method: "POST", Host: "127.0.0.1:8080", Path: "/pets", Protocol: "HTTP/1.1", Status: 201,
					Message:  Message{Body: []byte(`{"name":"Rex","categoryId":3}`), Size: 29, Headers: request},
					Response: &Answer{201, Message{Body: created, Size: int64(len(created)), Headers: response}},
				})
			}
			if n := j.Bytes(); n > test.most {
				t.Errorf("twenty usual writes hold %d bytes, want at most %d", n, test.most)
			}
		})
	}
}
