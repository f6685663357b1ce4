package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// TestJournalRedactsKeys checks headers and queries, some after empty pairs or with escapes in their
// names.
func TestJournalRedactsKeys(t *testing.T) {
	t.Parallel()
	const key = "s3cr3t"
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "x-api-key", "cookie",
		"Set-Cookie", "X-Auth-Token", "X-CSRFToken", "Apikey", "My-Api_Key", "Client-Secret", "X-Password-Hash"} {
		j := newJournal(1)
		m := Message{Headers: map[string][]string{name: {"Bearer " + key, key}}}
		j.Add(&Request{Message: m, Response: &Answer{200, m}})
		e := find(j, Filter{}, 1).Entries[0]
		for _, headers := range []map[string]string{e.Headers, e.Response.Headers} {
			must.Equal(t, map[string]string{name: "[redacted]"}, headers, "%s", name)
		}
	}
	for query, want := range map[string]string{
		"api_key=" + key + "&apiKey=" + key:                "api_key=[redacted]&apiKey=[redacted]",
		"access_token=" + key:                              "access_token=[redacted]",
		"a=1&access_token=" + key + "&b=2":                 "a=1&access_token=[redacted]&b=2",
		"access_token=" + key + "&access_token=" + key:     "access_token=[redacted]&access_token=[redacted]",
		"access%5Ftoken=" + key:                            "access%5Ftoken=[redacted]",
		"ACCESS_TOKEN=" + key:                              "ACCESS_TOKEN=[redacted]",
		"a=1;access_token=" + key + ";b":                   "a=1;access_token=[redacted]",
		"access_token=" + key + "=" + key:                  "access_token=[redacted]",
		"+access_token=" + key:                             "+access_token=[redacted]",
		"access_token=":                                    "access_token=[redacted]",
		"access_token":                                     "access_token",
		"token=" + key + "&client_secret=" + key:           "token=[redacted]&client_secret=[redacted]",
		"Password=" + key + "&x-api-key=" + key:            "Password=[redacted]&x-api-key=[redacted]",
		"secre=c&idempotency-key=d&monkey=e&author=f":      "secre=c&idempotency-key=d&monkey=e&author=f",
		"access_token;=" + key:                             "access_token;=[redacted]",
		"key=" + key + "&accessKey=" + key:                 "key=[redacted]&accessKey=[redacted]",
		"pass=" + key + "&pwd=" + key + "&passwd=" + key:   "pass=[redacted]&pwd=[redacted]&passwd=[redacted]",
		"sig=" + key + "&jwt=" + key + "&auth=" + key:      "sig=[redacted]&jwt=[redacted]&auth=[redacted]",
		"bearer=" + key + "&session=" + key:                "bearer=[redacted]&session=[redacted]",
		"a=%zz&b=1":                                        "a=%zz&b=1",
		"":                                                 "",
		"&&access_token=" + url.QueryEscape("\n"+key) + "": "&&access_token=[redacted]",

		"&a=1&token=k":                         "&a=1&token=[redacted]",
		"a=1&&b=2&key=3":                       "a=1&&b=2&key=[redacted]",
		"&&token=k&":                           "&&token=[redacted]&",
		";token=k;":                            ";token=[redacted]",
		"tok%65n=k":                            "tok%65n=[redacted]",
		"to%ken=k":                             "to%ken=[redacted]",
		"token;=k":                             "token;=[redacted]",
		"a=1;token?=k":                         "a=1;token?=[redacted]",
		"token=k;l&a=1":                        "token=[redacted]&a=1", // some parsers read k;l as the value
		"token=k?l":                            "token=[redacted]",
		"a=b=c;pwd=k":                          "a=b=c;pwd=[redacted]",
		"sort=token;a=1":                       "sort=token;a=1", // a value is no name
		"x=1;" + key + ";y=" + key + "?" + key: "x=1;[redacted];y=[redacted]?[redacted]",
		key + "=" + key + ";" + key + "&x=1":   "[redacted]=[redacted];[redacted]&x=1",
		"x=" + key + ";token=k&x=" + key + "," + key + "&k=1": "x=[redacted];token=[redacted]&x=[redacted],[redacted]&k=1",
		"&": "&",
	} {
		j := newJournal(1)
		j.Keys = func(text string) bool { return text == key }
		j.Add(&Request{Query: query, Message: Message{Headers: map[string][]string{
			"Referer": {"http://localhost/?" + query}, "X-Page": {"one?", "/two?" + query},
			"Link": {"</pets?" + query + `>; rel="first", </pets?` + query + `>; rel="last"`},
		}}})
		e := find(j, Filter{}, 1).Entries[0]
		if e.Query != want || e.Headers["Referer"] != "http://localhost/?"+want {
			t.Errorf("%q is kept as %q and %v", query, e.Query, e.Headers)
		}
		text := must.Get(json.Marshal(e))(t)
		if bytes.Contains(text, []byte(key)) || bytes.Contains(j.entries.chunks[0].text, []byte(key)) {
			t.Errorf("%q leaves the key in %s", query, text)
		}
	}
}

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

// TestTypicalEntriesAreSmall checks that a sandbox with twenty typical writes takes little memory.
func TestTypicalEntriesAreSmall(t *testing.T) {
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
			"Sec-Ch-Ua": `"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"`, "Sec-Ch-Ua-Mobile": "?0",
			"Sec-Ch-Ua-Platform": `"Linux"`, "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors",
			"Sec-Fetch-Site": "same-site",
			"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 " +
				"Safari/537.36",
		}, map[string]string{
			"Access-Control-Allow-Credentials": "true", "Access-Control-Allow-Origin": "http://localhost:5173",
			"Access-Control-Expose-Headers": strings.Repeat("X-Some-Header, ", 20),
		}, 8 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(1000)
			for i := range 20 {
				id, created := fmt.Sprint("req-", 1000+i),
					[]byte(fmt.Sprintf(`{"id":%d,"name":"Rex","categoryId":3,"status":"available"}`, 101+i))
				request := map[string][]string{"Content-Length": {"29"}, "Content-Type": {"application/json"}}
				for name, value := range test.request {
					request[name] = []string{value}
				}
				response := map[string][]string{
					"Cache-Control": {"no-cache"}, "Content-Length": {"60"}, "Content-Type": {"application/json"},
					"Etag":                   {fmt.Sprintf(`"ede168dc198d%d"`, 3000+i)},
					"Location":               {fmt.Sprint("/sandboxes/s1/pets/", 101+i)},
					"Vary":                   {"Origin, Accept-Encoding, X-Sandbox, Prefer"},
					"X-Content-Type-Options": {"nosniff"}, "X-Request-Id": {id}, "X-Sandbox": {"s1"},
				}
				for name, value := range test.response {
					response[name] = []string{value}
				}
				j.Add(&Request{
					ID: id, OperationID: "createPet", Client: "127.0.0.1", Method: "POST", Host: "127.0.0.1:8080",
					Path: "/pets", Protocol: "HTTP/1.1", Status: 201,
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
