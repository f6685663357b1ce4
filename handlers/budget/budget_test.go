package budget

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

const headers = "Host: 127.0.0.1\r\nUser-Agent: budget\r\nAccept: application/json\r\n"

func get(path string) string {
	return "GET " + path + " HTTP/1.1\r\n" + headers + "\r\n"
}

func post(path, body string) string { return send("POST", path, body) }

func put(path, body string) string { return send("PUT", path, body) }

func send(method, path, body string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method,
		path, headers, len(body), body)
}

func BenchmarkGetPet(b *testing.B) { compare(b, 100, get("/pets/42"), atLeast(0.82), atMost(1.35)) }

func BenchmarkGetCategory(b *testing.B) {
	compare(b, 100, get("/categories/3"), atLeast(0.82), atMost(1.35))
}

func BenchmarkListPets(b *testing.B) { compare(b, 100, get("/pets"), atLeast(0.75), unbounded) }

// BenchmarkJournal compares the service with a journal to the service without one.
func BenchmarkJournal(b *testing.B) {
	for _, test := range []struct{ name, request string }{
		{"get", get("/categories/3")},
		{"create", post("/pets", `{"name":"Rex","categoryId":3}`)},
	} {
		b.Run(test.name, func(b *testing.B) {
			compareWith(b, test.request, startProgram(b, 100), startProgram(b, 100, "--journal", "0"), "off",
				atLeast(0.95), unbounded)
		})
	}
}

// BenchmarkWebhooks compares the service with a webhook to the service without one: for other
// events, for all events, and with an unreachable receiver.
func BenchmarkWebhooks(b *testing.B) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	b.Cleanup(receiver.Close)
	for _, test := range []struct{ name, events, url string }{
		{"other events", "order.*", receiver.URL},
		{"delivered", "pet.*", receiver.URL},
		{"no server", "pet.*", "http://127.0.0.1:9/"},
	} {
		b.Run(test.name, func(b *testing.B) {
			with := startProgram(b, 100)
			with.answer(b,
				put("/admin/webhooks/one", fmt.Sprintf(`{"url": %q, "events": [%q]}`, test.url, test.events)))
			compareWith(b, post("/pets", `{"name":"Rex","categoryId":3}`), with, startProgram(b, 100), "none",
				unbounded, unbounded)
		})
	}
}

func BenchmarkListPetsFiltered(b *testing.B) {
	for _, pets := range []int{1_000, 1_000_000} {
		for _, offset := range []int{0, pets / 40} {
			b.Run(fmt.Sprintf("pets=%d/offset=%d", pets, offset), func(b *testing.B) {
				compare(b, pets, get(fmt.Sprintf("/pets?status=available&categoryId=3&offset=%d", offset)), unbounded,
					unbounded)
			})
		}
	}
}

func BenchmarkCreatePet(b *testing.B) {
	for _, pets := range []int{100, 1_000, 1_000_000} {
		b.Run(fmt.Sprintf("pets=%d", pets), func(b *testing.B) {
			compare(b, pets, post("/pets", `{"name":"Rex","categoryId":3}`), atLeast(0.65), unbounded)
		})
	}
}
