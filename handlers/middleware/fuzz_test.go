package middleware

import (
	"net/http"
	"testing"
	"time"
)

// FuzzPrefer parses preferences. The supported ones are within their bounds.
func FuzzPrefer(f *testing.F) {
	for _, seed := range []string{"code=503", "delay=1500, code=429", `respond-async; a="b,c", Delay="10"`, "code=503,code=1", `"`, `\"`, "delay=-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		p, err := readPreferences([]string{value, value})
		if err != nil {
			return
		}
		if p.delay < 0 || p.delay > maxDelay || p.delay%time.Millisecond != 0 || p.status != 0 && (p.status < 400 || p.status > 599) || len(p.applied) > 2 {
			t.Errorf("%q is %+v", value, p)
		}
	})
}

// FuzzForwarded parses the headers of proxies. An additional remote client is never overlooked.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{"for=127.0.0.1", `for="[::1]:80";proto=http, for=127.0.0.1`, "127.0.0.1, ::1", `for="\127.0.0.1"`, "for=unknown", ";;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
			header := http.Header{name: {value}}
			_ = forLoopback(header)
			client := "192.0.2.1"
			if name == "Forwarded" {
				client = "for=192.0.2.1"
			}
			header[name] = append(header[name], client)
			if forLoopback(header) || name != "X-Real-Ip" && forLoopback(http.Header{name: {value + ", " + client}}) {
				t.Errorf("%s: %q hides %s", name, value, client)
			}
		}
	})
}
