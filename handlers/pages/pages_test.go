package pages_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/browsertest"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/pages"
)

// fromBrowser holds the headers that a browser sends when it opens an address.
var fromBrowser = http.Header{"Accept": {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}}

func TestDashboardIsForBrowsers(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, address := range []string{"/", "/?view=data&q=x", "/sandboxes/ada/", "/sandboxes/never%20made/"} {
		page := w.Must(t, Request{Method: "GET", Path: address, Header: fromBrowser})
		page.ExpectHeader(t, "Content-Type", "text/html; charset=utf-8")
		page.ExpectHeader(t, "Content-Security-Policy", pages.Policy)
		page.ExpectHeader(t, "X-Content-Type-Options", "nosniff")
		page.ExpectHeader(t, "Referrer-Policy", "no-referrer")
		if vary := page.Header.Get("Vary"); !strings.Contains(vary, "Accept,") && !strings.HasSuffix(vary, ", Accept") {
			t.Errorf("Vary of %s = %q", address, vary)
		}
		index := w.Must(t, Get(address).With("Accept", "*/*"))
		index.ExpectHeader(t, "Content-Type", "application/json")
		if !json.Valid(index.Body) {
			t.Errorf("%s = %s", address, index.Body)
		}
	}
}

// TestOpenerPolicy checks that the server sends the opener policy only where browsers
// apply it. Elsewhere they log a warning that they ignore it.
func TestOpenerPolicy(t *testing.T) {
	t.Parallel()
	direct := NewWorld(t)
	behind := func(address string) *world {
		return NewWorld(t, func(c *handlers.Config) { c.PublicURL, c.AdminKey = address, "secret" })
	}
	for _, test := range []struct {
		w          *world
		host, want string
	}{
		{direct, "127.0.0.1:8080", "same-origin"},
		{direct, "127.1.2.3", "same-origin"},
		{direct, "[::1]:8080", "same-origin"},
		{direct, "localhost", "same-origin"},
		{direct, "ada.LOCALHOST:8080", "same-origin"},
		{direct, "192.168.1.20:8080", ""},
		{direct, "[fe80::1]:8080", ""},
		{direct, "petstore.local", ""},
		{direct, "localhost.example", ""},
		{behind("https://shop.example/petstore"), "10.0.0.7:8080", "same-origin"},
		{behind("http://shop.example"), "127.0.0.1:8080", ""},
	} {
		header := fromBrowser.Clone()
		header.Set("Host", test.host)
		page := test.w.Do(t, Request{Method: "GET", Path: "/", Header: header})
		page.Expect(t, 200, "")
		if got := page.Header.Get("Cross-Origin-Opener-Policy"); got != test.want {
			t.Errorf("at %s: Cross-Origin-Opener-Policy is %q, want %q", test.host, got, test.want)
		}
	}
}

// TestAddressWithoutSlash checks that relative addresses in the page work.
func TestAddressWithoutSlash(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for address, want := range map[string]string{
		"/sandboxes/ada":            "./ada/",
		"/sandboxes/ada?view=time":  "./ada/?view=time",
		"/sandboxes/a:b":            "./a:b/",
		"/sandboxes/a%2Fb?q=%20":    "./a%2Fb/?q=%20",
		"/sandboxes/Test%20one%3Fx": "./Test%20one%3Fx/",
	} {
		redirect := w.Do(t, Request{Method: "GET", Path: address, Header: fromBrowser})
		redirect.Expect(t, 308, "")
		redirect.ExpectHeader(t, "Location", want)
	}
}

// TestPagesAreServedWithTheirFiles loads every file that a page refers to, as a browser does,
// in the default sandbox and in another.
func TestPagesAreServedWithTheirFiles(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	types := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".svg": "image/svg+xml", ".woff2": "font/woff2"}
	for _, base := range []string{"/", "/sandboxes/ada/"} {
		for name := range load(t, w, base) {
			if name == base {
				continue
			}
			file := w.Must(t, Get(name))
			file.ExpectHeader(t, "Content-Type", types[path.Ext(name)])
			for _, tag := range []string{file.Header.Get("Etag"), "W/" + file.Header.Get("Etag"),
				strings.TrimSuffix(file.Header.Get("Etag"), `"`) + `-gzip"`} {
				w.Do(t, Get(name).With("If-None-Match", tag)).Expect(t, 304, "")
			}
		}
	}
}

// references matches the addresses of the files that a page or a file loads.
var references = regexp.MustCompile(`(?:src|href)="([^"#]+)"|(?:^|\n)import [^"\n]*"([^"]+)"|(?:^|\n)export [^"\n]* from "([^"]+)"|[ (]import\("([^"]+)"\)|new URL\("([^"]+\.svg)", import\.meta|url\("([^"]+)"\)`)

// load returns the page and all files that it loads, by path.
func load(t *testing.T, w *World, base string) map[string][]byte {
	t.Helper()
	loaded := map[string][]byte{base: w.Must(t, Request{Method: "GET", Path: base, Header: fromBrowser}).Body}
	for queue := []string{base}; len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if extension := path.Ext(name); name != base && extension != ".js" && extension != ".css" ||
			strings.Contains(name, "/library/") {
			continue
		}
		for _, groups := range references.FindAllSubmatch(loaded[name], -1) {
			to := string(slices.Concat(groups[1:]...))
			if strings.Contains(to, "//") || strings.HasPrefix(to, "/") {
				t.Errorf("%s refers to %s, which is another host or leaves the sandbox", name, to)
				continue
			}
			to = path.Join(path.Dir(name), to)
			if _, there := loaded[to]; !there && path.Ext(to) != ".yaml" {
				loaded[to] = w.Must(t, Get(to)).Body
				queue = append(queue, to)
			}
		}
	}
	if len(loaded) < 10 {
		t.Errorf("the page at %s loads %d files alone", base, len(loaded))
	}
	return loaded
}

// versionIn returns the version of the files that the page links to.
func versionIn(page []byte) string {
	match := regexp.MustCompile(`"pages/([0-9a-f]{12})/`).FindSubmatch(page)
	if match == nil {
		return ""
	}
	return string(match[1])
}

func TestEveryFileIsUsed(t *testing.T) {
	t.Parallel()
	loaded := load(t, NewWorld(t), "/")
	version := versionIn(loaded["/"])
	for _, pattern := range []string{"shell/*", "dashboard/*", "library/*.js", "library/*.woff2"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if name := filepath.Base(file); strings.HasSuffix(name, ".html") || name == "types.js" {
				continue // types.js is for tsc alone
			}
			if _, used := loaded["/pages/"+version+"/"+filepath.ToSlash(file)]; !used {
				t.Errorf("no page loads %s", file)
			}
		}
	}
}

func TestOnlyFilesOfPagesAreServed(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, missing := range []string{
		"/pages", "/pages/", "/pages/shell", "/pages/shell/", "/pages/none.js", "/pages/dashboard/index.html",
		"/pages/library/LICENSE", "/pages/library/README.md", "/pages/library/preact.d.ts", "/pages/../pages.go",
		"/pages/..%2fpages.js", "/pages/%00.js", "/pages/shell/api.js/", "/pages//shell/api.js",
	} {
		w.Get(t, missing).Expect(t, 404, "not_found")
	}
	w.Do(t, Post("/pages/shell/api.js", "")).Expect(t, 405, "method_not_allowed")

	version := versionIn(w.Must(t, Request{Method: "GET", Path: "/", Header: fromBrowser}).Body)
	w.Must(t, Get("/pages/"+version+"/shell/api.js")).
		ExpectHeader(t, "Cache-Control", "public, max-age=31536000, immutable")
	w.Must(t, Get("/pages/shell/api.js")).ExpectHeader(t, "Cache-Control", "no-cache")
	w.Get(t, "/pages/0123456789ab/shell/api.js").Expect(t, 404, "not_found")
}

// TestPagesParseNoMarkup checks that no page uses an API that parses data as markup.
func TestPagesParseNoMarkup(t *testing.T) {
	t.Parallel()
	unwanted := regexp.MustCompile(
		`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|<style|\son[a-z]+="|style="`)
	for _, pattern := range []string{"shell/*.js", "dashboard/*.js", "dashboard/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text := must.Get(os.ReadFile(file))(t)
			if found := unwanted.Find(text); found != nil {
				t.Errorf("%s has %s", file, found)
			}
		}
	}
}

func TestWanted(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"":                 false,
		"*/*":              false,
		"application/json": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": true,
		"TEXT/HTML":                               true,
		"text/html;q=0.5, application/json":       false,
		"text/html, application/json":             true,
		"text/html;q=0.9, application/json;q=0.5": true,
		"text/html;q=0":                           false,
		"text/html;q=x":                           false,
		"text/*":                                  false,
		";;;,text/html":                           true,
	} {
		r := &http.Request{Header: http.Header{"Accept": {accept}}}
		if got := pages.Wanted(r); got != want {
			t.Errorf("Wanted with Accept: %s = %v, want %v", accept, got, want)
		}
	}
	if pages.Wanted(&http.Request{Header: http.Header{"Accept": {"application/json;q=0.1", "text/html"}}}) != true {
		t.Error("a second Accept is not read")
	}
}

// TestMarkIsNotJournaled checks that the server serves the mark, which browsers request for every
// address that they open, and does not record those requests.
func TestMarkIsNotJournaled(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, address := range []string{"/icon.svg", "/favicon.ico", "/sandboxes/default/favicon.ico"} {
		mark := w.Must(t, Get(address))
		mark.ExpectHeader(t, "Content-Type", "image/svg+xml")
	}
	var journal struct{ Requests []any }
	w.Get(t, "/admin/requests").Decode(t, &journal)
	if len(journal.Requests) != 0 {
		t.Errorf("the journal has %v", journal.Requests)
	}
}

// TestPagesBehindNginx uses the pages under a path of a host with TLS, as in the recipe.
// Requests must appear as they arrive, the documentation must be able to send them, and
// joining must lead to addresses that exist.
func TestPagesBehindNginx(t *testing.T) {
	t.Parallel()
	browsertest.Require(t)
	programtest.RequireTool(t, "nginx")
	recipe := must.Get(os.ReadFile("../../testdata/recipes/nginx/petstore.conf"))(t)
	nginx := programtest.NewNginx(t)
	public := nginx.Origin + "/petstore"
	w := newWorld(t, func(c *handlers.Config) { c.PublicURL, c.AdminKey, c.Workshop = public, "secret", true })
	nginx.Start(string(recipe), "shop.example", "http://127.0.0.1:8080", w.URL)

	p := browsertest.Open(t, public+"/#key=secret")
	p.WaitText(".live", "live")
	w.Get(t, "/pets?name=through-nginx")
	p.WaitText("main", "through-nginx") // it came as an event
	p.Open(public + "/docs/#/Health/getHealth")
	p.Click("button", "Execute")
	p.WaitText(".live-response .status", "200")
	p.WaitText(".request pre", public+"/healthz")
	p.Open(public + "/join")
	p.Fill("textbox", "Your name", "Ada")
	p.Click("button", "Join")
	p.WaitText(".address", public+"/sandboxes/ada")
}

// saving prevents the page from saving a file. It returns an expression for the file's JSON
// content. The page stores the file's name in window.name.
func saving(p *page) string {
	_ = browsertest.Eval[bool](p, `(() => {
		const make = URL.createObjectURL
		URL.createObjectURL = (blob) => {
			blob.text().then((text) => { window.savedText = text; if (text[0] === "{") window.saved = JSON.parse(text) })
			return make(blob)
		}
		HTMLAnchorElement.prototype.click = function () { window.name = this.download }
		return true
	})()`)
	return "window.saved"
}
