package journal

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestQueriesOfOddFormsAreRedacted checks that keys are redacted after empty pairs and with
// escapes in their names.
func TestQueriesOfOddFormsAreRedacted(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"&a=1&token=k":   "&a=1&token=[redacted]",
		"a=1&&b=2&key=3": "a=1&&b=2&key=[redacted]",
		"&&token=k&":     "&&token=[redacted]&",
		";token=k;":      ";token=[redacted]",
		"tok%65n=k":      "tok%65n=[redacted]",
		"to%ken=k":       "to%ken=[redacted]",
		"token;=k":       "token;=[redacted]",
		"a=1;token?=k":   "a=1;token?=[redacted]",
		"token=k;l&a=1":  "token=[redacted]&a=1", // some parsers read k;l as the value
		"token=k?l":      "token=[redacted]",
		"a=b=c;pwd=k":    "a=b=c;pwd=[redacted]",
		"token=":         "token=[redacted]",
		"token":          "token",
		"&":              "&",
	} {
		if got := Keys(nil).redactQuery(query); got != want {
			t.Errorf("%s is kept as %s, want %s", query, got, want)
		}
	}
}

func TestJournalHoldsNoKeys(t *testing.T) {
	t.Parallel()
	const key = "s3cr3t"
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "x-api-key", "cookie", "Set-Cookie", "X-Auth-Token", "X-CSRFToken", "Apikey", "My-Api_Key", "Client-Secret", "X-Password-Hash"} {
		j := newJournal(1)
		m := Message{Headers: map[string][]string{name: {"Bearer " + key, key}}}
		j.Add(&Request{Message: m, Response: &Answer{200, m}})
		e := j.Find(Filter{}, 1).Entries[0]
		for _, headers := range []map[string]string{e.Headers, e.Response.Headers} {
			if diff := cmp.Diff(map[string]string{name: "[redacted]"}, headers); diff != "" {
				t.Errorf("%s, -want +got:\n%s", name, diff)
			}
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
	} {
		if got := Keys(nil).redactQuery(query); got != want {
			t.Errorf("redactQuery(%q) = %q, want %q", query, got, want)
		}
		j := newJournal(1)
		j.Add(&Request{Query: query, Message: Message{Headers: map[string][]string{
			"Referer": {"http://localhost/?" + query}, "X-Page": {"one?", "/two?" + query},
			"Link": {"</pets?" + query + `>; rel="first", </pets?` + query + `>; rel="last"`},
		}}})
		e := j.Find(Filter{}, 1).Entries[0]
		if e.Query != want || e.Headers["Referer"] != "http://localhost/?"+want {
			t.Errorf("%q is kept as %q and %v", query, e.Query, e.Headers)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(key)) || bytes.Contains(j.entries.chunks.at(0).text, []byte(key)) {
			t.Errorf("%q leaves the key in %s", query, text)
		}
	}
}
