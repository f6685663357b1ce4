package command

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// user is a client of a petstore behind a proxy, at its public address.
type user struct {
	t      *testing.T
	origin string
	client *http.Client
}

// do makes a request over HTTP/2 to an address or, if it begins with a slash, to a path of the
// origin. It follows redirects.
func (u user) do(ctx context.Context, method, address, body string, header ...string) *http.Response {
	u.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = u.origin + address
	}
	r := must.Get(http.NewRequestWithContext(ctx, method, address, strings.NewReader(body)))(u.t)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response := must.Get(u.client.Do(r))(u.t)
	u.t.Cleanup(func() { response.Body.Close() })
	if response.ProtoMajor != 2 {
		u.t.Errorf("%s %s over %s", method, address, response.Proto)
	}
	return response
}

// expect makes a request, checks its status, and returns the headers and the body.
func (u user) expect(status int, method, address, body string, header ...string) (http.Header, string) {
	u.t.Helper()
	response := u.do(u.t.Context(), method, address, body, header...)
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		u.t.Errorf("%s %s: %s, %v, want %d\n%s", method, address, response.Status, err, status, text)
	}
	return response.Header, string(text)
}

// recipe returns the contents of a file in testdata/recipes.
func recipe(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile("../../testdata/recipes/" + path))(t))
}

// TestBehindNginx uses a petstore under a path of a host with TLS and HTTP/2, with the recipe as is
// and with a variant that removes the path prefix.
func TestBehindNginx(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "nginx")
	for name, end := range map[string]string{"as it came": "", "without its prefix": "/"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nginx := programtest.NewNginx(t)
			public := nginx.Origin + "/petstore"
			p := startRun(t, nil, "--addr", "127.0.0.1:0", "--public-url", public, "--admin-key", "secret")
			nginx.Start(recipe(t, "nginx/petstore.conf"), "shop.example", "http://127.0.0.1:8080", p.URL+end)
			u := user{t, nginx.Origin, &http.Client{Transport: nginx.Transport, Timeout: programtest.Patience}}
			u.followsLinks(public)
			u.needsAdminKey()
			u.receivesEvents()
		})
	}
}

// followsLinks follows the links and redirects in responses.
func (u user) followsLinks(public string) {
	const rex = `{"name": "Rex", "categoryId": 1}`
	for _, sandbox := range []string{"", "/sandboxes/ada"} {
		created, _ := u.expect(http.StatusCreated, "POST", public+sandbox+"/pets", rex)
		_, text := u.expect(http.StatusOK, "GET", created.Get("Location"), "")
		if want := `"name":"Rex"`; !strings.Contains(text, want) {
			u.t.Errorf("at %s is %s", created.Get("Location"), text)
		}
		header, first := u.expect(http.StatusOK, "GET", public+sandbox+"/pets?limit=1", "")
		links := make(map[string]string)
		for link := range strings.SplitSeq(header.Get("Link"), ", ") {
			address, rel, _ := strings.Cut(strings.TrimPrefix(link, "<"), `>; rel="`)
			links[strings.TrimSuffix(rel, `"`)] = address
		}
		if _, next := u.expect(http.StatusOK, "GET", links["next"], ""); next == first ||
			!strings.Contains(next, `"id":2`) {
			u.t.Errorf("next, %q, is %s", links["next"], next)
		}
		var document struct{ Servers []struct{ URL string } }
		_, text = u.expect(http.StatusOK, "GET", public+sandbox+"/openapi.json", "")
		must.Succeed(u.t, json.Unmarshal([]byte(text), &document))
		must.Equal(u.t, public+sandbox, document.Servers[0].URL, "the server of the document")
		for _, redirected := range []string{public + sandbox + "/docs", public + sandbox} {
			response := u.do(u.t.Context(), "GET", redirected, "", "Accept", "text/html")
			if got, want := response.Request.URL.String(), redirected+"/"; response.StatusCode != http.StatusOK ||
				got != want {
				u.t.Errorf("%s leads to %s: %s, want %s", redirected, got, response.Status, want)
			}
		}
	}
}

// needsAdminKey checks that the control plane requires a key, although nginx does not add forwarding
// headers by default.
func (u user) needsAdminKey() {
	u.expect(http.StatusUnauthorized, "GET", "/petstore/admin", "")
	u.expect(http.StatusOK, "GET", "/petstore/admin", "", "Authorization", "Bearer secret")
}

// receivesEvents checks that an event arrives while the stream is open, since nginx buffers small
// responses by default.
func (u user) receivesEvents() {
	ctx, cancel := context.WithTimeout(u.t.Context(), programtest.Patience)
	defer cancel()
	events := u.do(ctx, "GET", "/petstore/sandboxes/eve/events", "")
	u.expect(http.StatusNoContent, "DELETE", "/petstore/sandboxes/eve/pets/7", "")
	for lines := bufio.NewScanner(events.Body); lines.Scan(); {
		if lines.Text() == "event: pet.deleted" {
			return
		}
	}
	u.t.Errorf("no event came through nginx: %v", ctx.Err())
}

// TestProxySendsNothingTwice uses a replica that reads a request and closes the connection. With the
// recipes, the client must get a 502 over HTTP/1.1 and HTTP/2, for the first request of a
// connection and for a later one. Neither the proxy nor the client may send the request again.
func TestProxySendsNothingTwice(t *testing.T) {
	t.Parallel()
	var arrived atomic.Int32
	replica := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/pets") {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		arrived.Add(1)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(replica.Close)
	var addresses []string
	for _, theirs := range []string{"10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080"} {
		addresses = append(addresses, theirs, replica.Listener.Addr().String())
	}
	haproxy := programtest.StartHAProxy(t, recipe(t, "haproxy/haproxy.cfg"), addresses...)
	nginx := programtest.NewNginx(t)
	nginx.Start(recipe(t, "nginx/replicas.conf"), "play.example", addresses...)
	for proxy, at := range map[string]struct {
		origin    string
		transport *http.Transport
	}{"haproxy": {haproxy.Origin, haproxy.Transport}, "nginx": {nginx.Origin, nginx.Transport}} {
		for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
			for _, before := range []int{0, 2} {
				transport := at.transport.Clone()
				if version == "HTTP/1.1" {
					transport = overHTTP1(t, at.transport)
				}
				client := http.Client{Transport: transport}
				for range before {
					drain(t, &client, "GET", at.origin+"/sandboxes/ada.two/healthz")
				}
				for _, method := range []string{"POST", "DELETE", "GET"} {
					arrived.Store(0)
					response := drain(t, &client, method, at.origin+"/sandboxes/ada.two/pets")
					if response == nil || response.StatusCode != http.StatusBadGateway ||
						response.Header.Get("Retry-After") != "" ||
						response.Proto != version || arrived.Load() != 1 {
						t.Errorf("%s, %s, after %d: %s arrived %d times, and the client got %+v",
							proxy, version, before, method, arrived.Load(), response)
					}
				}
				transport.CloseIdleConnections()
			}
		}
	}
}

// overHTTP1 returns a copy of the transport that uses HTTP/1.1.
func overHTTP1(t *testing.T, transport *http.Transport) *http.Transport {
	transport = transport.Clone()
	transport.ForceAttemptHTTP2, transport.TLSNextProto, transport.TLSClientConfig.NextProtos = false, nil, nil
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

// drain makes a request and reads its response. It returns nil if there is no response.
func drain(t *testing.T, client *http.Client, method, url string) *http.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r := must.Get(http.NewRequestWithContext(ctx, method, url, strings.NewReader(`{"name": "Rex"}`)))(t)
	response, err := client.Do(r)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response
}

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
		{"127.0.0.2",
			[]string{"X-Forwarded-For", "203.0.113.9", "Forwarded", "for=203.0.113.9", "User-Agent", "liar/1"}, 429},
		{"127.0.0.3", nil, 200},
	} {
		transport := nginx.Transport.Clone()
		transport.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ask.from)}}).DialContext
		answer, err := programtest.Request(t.Context(), transport, http.MethodGet, nginx.Origin+"/petstore/pets", nil,
			ask.header...)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Status != ask.status {
			t.Errorf("%s with %v = %d, want %d", ask.from, ask.header, answer.Status, ask.status)
		}
	}
	want := []string{"127.0.0.2 web", "127.0.0.2 liar", "127.0.0.3 Go-http-client"}
	type client struct{ Client, ClientName string }
	journal := programtest.GetJSON[struct{ Requests []client }](t, p.URL+"/admin/requests",
		"Authorization", "Bearer secret")
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
