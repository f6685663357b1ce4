package docs_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const anyWebhook = `{"url": "http://127.0.0.1:3000/hook"}`

// webhookExamples returns requests for the examples of webhooks in admin.yaml. The server delivers
// nothing to their address.
func webhookExamples() map[string]provocation {
	pets := put("/admin/webhooks/shop", `{"url": "http://127.0.0.1:3000/hook", "events": ["pet.*"], "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`)
	told := func(before []request, r request) provocation {
		return provocation{before: before, by: func(t *testing.T, w *world) *answer { return foretold(t, w.Do(t, r), 1) }}
	}
	return map[string]provocation{
		"listWebhooks/200/none":       {request: get("/admin/webhooks")},
		"listWebhooks/200/one":        told([]request{pets}, get("/admin/webhooks")),
		"getWebhook/200/shop":         told([]request{pets}, get("/admin/webhooks/shop")),
		"setWebhook/200/shop":         told([]request{put("/admin/webhooks/shop", anyWebhook)}, pets),
		"setWebhook/201/made":         told(nil, put("/admin/webhooks/shop", anyWebhook)),
		"listDeliveries/200/timedOut": {before: []request{pets}, request: get("/admin/webhooks/shop/deliveries?wait=1ms")},
		"listDeliveries/200/two":      {config: generated, by: deliverTwo(get("/admin/webhooks/shop/deliveries"), 1)},
		"resendDelivery/202/again":    {config: generated, by: deliverTwo(post("/admin/webhooks/shop/deliveries/1/resend", ""), 2)},
	}
}

// deliverTwo makes the request after one event was delivered and another failed, so that it is sent
// again after the given number of seconds.
func deliverTwo(r request, seconds int) func(*testing.T, *world) *answer {
	return func(t *testing.T, w *world) *answer {
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body, _ := io.ReadAll(r.Body); strings.Contains(string(body), "pet.deleted") {
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, "out of order")
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		t.Cleanup(receiver.Close)
		w.Must(t, put("/admin/webhooks/shop", fmt.Sprintf(`{"url": %q}`, receiver.URL)))
		w.Must(t, post("/pets", `{"name": "Rex", "categoryId": 1}`))
		w.Must(t, drop("/pets/7"))
		for tried := 0; tried < 2; {
			var found struct{ Deliveries []struct{ Tries []any } }
			w.Get(t, "/admin/webhooks/shop/deliveries").Decode(t, &found)
			tried = len(found.Deliveries[0].Tries) + len(found.Deliveries[1].Tries)
		}
		return foretold(t, w.Do(t, r), seconds)
	}
}

// foretold replaces values that vary by those of the examples. The next try is after the given
// number of seconds.
func foretold(t *testing.T, a *answer, seconds int) *answer {
	t.Helper()
	var body any
	a.Decode(t, &body)
	messages := []string{"msg_Q4YL2UNZ3LNKXZ2Z5VYFOTL6DA", "msg_XAA4P4VUFOZKQ5JXH7ZC4DAMLE"}
	known := map[string]string{
		"createdAt": "2026-03-14T09:30:00Z", "at": "2026-03-14T09:30:00Z", "nextTryAt": fmt.Sprintf("2026-03-14T09:30:%02dZ", seconds),
		"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for name, told := range known {
				if _, ok := value[name]; ok {
					value[name] = told
				}
			}
			if _, ok := value["messageId"]; ok {
				value["messageId"] = messages[int(value["id"].(float64))-1]
			}
			for _, child := range value {
				walk(child)
			}
		case []any:
			for _, child := range value {
				walk(child)
			}
		}
	}
	walk(body)
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	a.Body = text
	return a
}

func webhooks(n int) (set []request) {
	for i := range n {
		set = append(set, put(fmt.Sprintf("/admin/webhooks/h%d", i), anyWebhook))
	}
	return set
}
