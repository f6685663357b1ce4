package command

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type prepared = func(n int) *http.Request

const longText = 4000 // characters of four bytes

func floods() map[string]flood {
	long := strings.Repeat("🐈", longText)
	send := func(method, path, body string, headers ...string) *http.Request {
		r, err := http.NewRequest(method, path, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		return r
	}
	const key = "Bearer demo-key"
	message := fmt.Sprintf(`{"message": %q}`, long)
	category := fmt.Sprintf(`{"name": %q, "description": %q}`, strings.Repeat("🐈", 255), strings.Repeat("🐈", 1000))
	categories := make([]string, 500)
	for i := range categories {
		categories[i] = fmt.Sprintf(`{"id": %d, %s`, i+1, category[1:])
	}
	state := `{"categories": [` + strings.Join(categories, ",") + `]}`
	rule := fmt.Sprintf(`{"status": 503, "headers": {"X-Long": %q}}`, strings.Repeat("x", 60_000))
	in := func(n, sandboxes int, path string) string { return fmt.Sprintf("/sandboxes/s%d%s", n%sandboxes, path) }
	full := []string{"server_full"}
	bulky := func(int) *http.Request { // makes large journal entries
		return send("POST", "/pets", `{"name": "Rex", "categoryId": 1, "more": "`+strings.Repeat("\\\"", 2000)+`"}`,
			"X-Long", strings.Repeat("\\\"", 500), "X-Other", strings.Repeat("\\\"", 500))
	}
	unread := int(floodMiB()) * 8                 // connections
	deaf, err := net.Listen("tcp", "127.0.0.1:0") // accepts no connections, so it never responds
	if err != nil {
		panic(err)
	}
	return map[string]flood{
		"messages": {always: true, most: 40_000, refused: full, requests: func(n int) *http.Request {
			return send("POST", in(n, 50, "/messages"), message, "Authorization", key)
		}},
		"categories": {most: 100_000, refused: full, requests: func(n int) *http.Request {
			return send("POST", in(n, 50, "/categories"), category)
		}},
		"journals": {most: int(floodMiB()) * 50, requests: func(n int) *http.Request {
			return send("GET", in(n, 500, "/pets?limit=1"), "", "X-Long", fmt.Sprint(n, strings.Repeat("x", 30_000)),
				"X-Other", long)
		}},
		"idempotency keys": {most: 100_000, refused: full, requests: func(n int) *http.Request {
			return send("POST", in(n, 500, "/categories"), category, "Idempotency-Key", strconv.Itoa(n))
		}},
		"callers": {most: int(floodMiB()) * 150, requests: func(n int) *http.Request {
			return send("GET", in(n, 500, "/pets/1"), "", "User-Agent", fmt.Sprint(strings.Repeat("x", 4000), n))
		}},
		"fault rules": {most: 40_000, refused: full, requests: func(n int) *http.Request {
			return send("POST", in(n, 500, "/admin/faults"), rule)
		}},
		// Each of the 1000 webhooks has at most 400 deliveries. A request adds 10.
		"events for receivers that never answer": {most: int(floodMiB()) * 400, refused: full, fits: true,
			requests: func(n int) *http.Request {
				if hook := n / 100; hook < 10 {
					return send("PUT", in(n, 100, fmt.Sprint("/admin/webhooks/h", hook)),
						fmt.Sprintf(`{"url": "http://%s/"}`, deaf.Addr()))
				}
				return send("PUT", in(n, 100, "/store/inventory/7"), fmt.Sprintf(`{"quantity": %d}`, n))
			}},
		"snapshots": {most: 60_000, refused: full, requests: func(n int) *http.Request {
			switch n % 3 {
			case 0:
				return send("POST", in(n/3, 100, "/messages"), message, "Authorization", key)
			case 1:
				return send("PUT", in(n/3, 100, fmt.Sprintf("/admin/snapshots/at-%d", n/300)), "")
			}
			return send("POST", in(n/3, 100, "/admin/reset?only=data"), "")
		}},
		"imports": {most: 4_000, refused: full, requests: func(n int) *http.Request {
			return send("PUT", in(n, 500, "/admin/state"), state)
		}},
		"new sandboxes": {flags: []string{"--max-sandboxes", "1000000"}, most: 200_000, refused: full,
			requests: func(n int) *http.Request {
				return send("GET", in(n, 1_000_000, "/pets?limit=1"), "")
			}},
		"unread lists": {unread: "/messages?limit=1000", most: unread, refused: full,
			prepare: slices.Repeat([]prepared{func(int) *http.Request {
				return send("POST", "/messages", message, "Authorization", key)
			}}, 100)},
		"unread journals": {unread: "/admin/requests?limit=1000", most: unread, refused: full,
			prepare: slices.Repeat([]prepared{bulky}, 500)},
		"unread archives": {unread: "/admin/requests?limit=1000&format=har", most: unread, refused: full,
			prepare: slices.Repeat([]prepared{bulky}, 500)},
		"unread faults": {unread: "/sandboxes/ada/admin/faults", most: unread, refused: full,
			prepare: slices.Repeat([]prepared{func(int) *http.Request {
				return send("POST", "/sandboxes/ada/admin/faults", rule)
			}}, 15)},
		"unread states": {unread: "/sandboxes/ada/admin/state", most: unread, refused: full,
			prepare: []prepared{func(int) *http.Request {
				return send("PUT", "/sandboxes/ada/admin/state", state)
			}}},
		"unread differences": {unread: "/sandboxes/ada/admin/state/diff", most: unread, refused: full,
			prepare: []prepared{func(int) *http.Request {
				return send("PUT", "/sandboxes/ada/admin/state", state)
			}}},
		"unread worlds": {unread: "/sandboxes/ada/admin/world", most: unread, refused: full,
			prepare: []prepared{func(int) *http.Request {
				return send("PUT", "/sandboxes/ada/admin/state", state)
			}}},
		"unread results": {
			unread: "/mcp",
			posts: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_records", ` +
				`"arguments": {"collection": "messages"}}}`,
			// Escaping JSON in JSON triples its length.
			most: unread, refused: full, prepare: slices.Repeat([]prepared{func(int) *http.Request {
				return send("POST", "/messages", fmt.Sprintf(`{"message": %q}`, strings.Repeat(`"`, longText)),
					"Authorization", key)
			}}, 8),
		},
		"unread documents": {unread: "/admin/openapi.json", most: unread, refused: full, fits: true},
		"unread past events": {unread: "/admin/events", most: unread, refused: full,
			prepare: slices.Repeat([]prepared{bulky}, 500)},
		"unread events": {unread: "/admin/events", most: unread / 20, between: 80,
			prepare: slices.Repeat([]prepared{bulky}, 80)},
	}
}
