package command

import (
	"encoding/json"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestClientsBehindNginx uses the recipe with two clients at different addresses. One forges
// forwarding headers. The rate limit, the journal and the log must use the real address.
func TestClientsBehindNginx(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("127.0.0.2 is an address of Linux alone")
	}
	nginx := programtest.NewNginx(t)
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--public-url", nginx.Origin+"/petstore", "--admin-key", "secret",
		"--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "127.0.0.1", "--rate-limit", "0.001", "-v", "--log-format", "json")
	nginx.Start(recipe(t, "nginx/petstore.conf"), "shop.example", "http://127.0.0.1:8080", p.URL)
	for _, ask := range []struct {
		from   string
		header []string
		status int
	}{
		{"127.0.0.2", []string{"X-Client", "web"}, 200},
		{"127.0.0.2", []string{"X-Forwarded-For", "203.0.113.9", "Forwarded", "for=203.0.113.9", "User-Agent", "liar/1"}, 429},
		{"127.0.0.3", nil, 200},
	} {
		transport := nginx.Transport.Clone()
		transport.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ask.from)}}).DialContext
		answer, err := programtest.Request(t.Context(), transport, http.MethodGet, nginx.Origin+"/petstore/pets", ask.header...)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Status != ask.status {
			t.Errorf("%s with %v = %d, want %d", ask.from, ask.header, answer.Status, ask.status)
		}
	}
	want := []string{"127.0.0.2 web", "127.0.0.2 liar", "127.0.0.3 Go-http-client"}
	type client struct{ Client, ClientName string }
	var journal struct{ Requests []client }
	if err := json.Unmarshal([]byte(programtest.Get(t, p.URL+"/admin/requests", "Authorization", "Bearer secret").Body), &journal); err != nil {
		t.Fatal(err)
	}
	var logged []client
	p.stop() // flush the log
	for _, line := range programtest.Lines(p.Stderr.String()) {
		var entry struct {
			Path string
			client
		}
		if json.Unmarshal([]byte(line), &entry) == nil && strings.HasSuffix(entry.Path, "/pets") {
			logged = append(logged, entry.client)
		}
	}
	for place, clients := range map[string][]client{"journal": journal.Requests, "log": logged} {
		if len(clients) != len(want) {
			t.Fatalf("the %s has %v, want %v", place, clients, want)
		}
		for i, c := range clients {
			if got := c.Client + " " + c.ClientName; got != want[i] {
				t.Errorf("request %d is by %s in the %s, want %s", i, got, place, want[i])
			}
		}
	}
}
