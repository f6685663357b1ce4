package command

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
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
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		u.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := u.client.Do(r)
	if err != nil {
		u.t.Fatal(err)
	}
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
	text, err := os.ReadFile("../../testdata/recipes/" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
			u.isKeptOut()
			u.hearsEvents()
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
		if _, next := u.expect(http.StatusOK, "GET", links["next"], ""); next == first || !strings.Contains(next, `"id":2`) {
			u.t.Errorf("next, %q, is %s", links["next"], next)
		}
		var document struct{ Servers []struct{ URL string } }
		_, text = u.expect(http.StatusOK, "GET", public+sandbox+"/openapi.json", "")
		if err := json.Unmarshal([]byte(text), &document); err != nil {
			u.t.Fatal(err)
		}
		if diff := cmp.Diff(public+sandbox, document.Servers[0].URL); diff != "" {
			u.t.Errorf("the server of the document, -want +got:\n%s", diff)
		}
		for _, redirected := range []string{public + sandbox + "/docs", public + sandbox} {
			response := u.do(u.t.Context(), "GET", redirected, "", "Accept", "text/html")
			if got, want := response.Request.URL.String(), redirected+"/"; response.StatusCode != http.StatusOK || got != want {
				u.t.Errorf("%s leads to %s: %s, want %s", redirected, got, response.Status, want)
			}
		}
	}
}

// isKeptOut checks that the control plane requires a key, although nginx does not add forwarding
// headers by default.
func (u user) isKeptOut() {
	u.expect(http.StatusUnauthorized, "GET", "/petstore/admin", "")
	u.expect(http.StatusOK, "GET", "/petstore/admin", "", "Authorization", "Bearer secret")
}

// hearsEvents checks that an event arrives while the stream is open, since nginx buffers small
// responses by default.
func (u user) hearsEvents() {
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
