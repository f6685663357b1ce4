package browsertest

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(Closing(m)) }

// policy allows the icon, and nothing inline.
const policy = "default-src 'self'; img-src 'self' data:"

// site serves a page with the body and the script.
func site(t *testing.T, body, script string) string {
	t.Helper()
	mux := http.NewServeMux()
	text := func(path, contentType, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Content-Security-Policy", policy)
			_, _ = w.Write([]byte(text))
		})
	}
	text("/{$}", "text/html; charset=utf-8",
		`<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
		<script defer src="script.js"></script><main><h1>A page</h1>`+body+`</main></html>`)
	text("/script.js", "text/javascript", script)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// TestFlaws checks that each flaw of a page is reported, and nothing else.
func TestFlaws(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, script, want string }{
		"none":      {script: `console.warn("a warning"); console.log("a line")`},
		"console":   {script: `console.error("it is", "broken")`, want: `logs an error: "it is" "broken"`},
		"exception": {script: `null.name`, want: "throws: Uncaught TypeError"},
		"rejection": {script: `Promise.reject(new Error("no"))`, want: "throws: Uncaught (in promise) Error: no"},
		"missing": {body: `<img alt="" src="none.png">`,
			want: "logs an error: Failed to load resource: the server responded with a status of 404"},
		"inline script": {body: `<script>window.ran = 1</script>`,
			want: "logs an error: Executing inline script violates the following Content Security Policy"},
		"inline style": {body: `<p style="color: red">red</p>`,
			want: "logs an error: Applying inline style violates the following Content Security Policy"},
		"another host": {body: `<img alt="" src="http://example.com/a.png">`,
			want: "logs an error: Loading the image 'http://example.com/a.png' violates"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			p.Open(site(t, c.body, c.script))
			p.Wait(`document.readyState === "complete"`)
			_ = Eval[int](p, "new Promise((then) => setTimeout(then, 0, 0))")
			switch found := p.flaws.list(); {
			case c.want == "" && len(found) > 0:
				t.Errorf("flaws of a good page: %q", found)
			case c.want != "" && (len(found) == 0 || !strings.HasPrefix(found[0], c.want)):
				t.Errorf("flaws = %q, want %q", found, c.want)
			case c.want != "":
				p.Allow(".")
				if left := p.flaws.list(); len(left) > 0 {
					t.Errorf("allowed, but reported: %q", left)
				}
			}
		})
	}
}

// TestRequestToAnotherHost checks that a request to another host is reported even if the policy allows it.
func TestRequestToAnotherHost(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	other := site(t, "", "")
	p.Open(site(t, "", ""))
	p.Do(withoutPolicy)
	p.Do(navigateAgain)
	Eval[bool](p, `fetch("`+other+`/", {mode: "no-cors"}).then(() => true)`)
	must.Equal(t, []string{"asks another host: " + other + "/"}, p.flaws.list(), "flaws")
}

// TestTabsKeepNoState checks that a tab keeps no state of a page for the next test.
func TestTabsKeepNoState(t *testing.T) {
	t.Parallel()
	address, other := site(t, "<p>text</p>", ""), site(t, "", "")
	tab := takeTab(t)
	t.Cleanup(tab.close)
	const left = `document.querySelector("p").setAttribute("style", "color: red"), // which the policy forbids
		[localStorage.length, sessionStorage.length, document.cookie, getComputedStyle(document.querySelector("p")).color, matchMedia("(prefers-color-scheme: dark)").matches].join()`
	p := tab.page(t)
	p.Do(withoutPolicy)
	p.Prefer("dark", false)
	p.Open(other)
	_ = Eval[bool](p, `localStorage.setItem("key", "secret"), true`)
	p.Open(address)
	_ = Eval[bool](p,
		`localStorage.setItem("key", "secret"), sessionStorage.setItem("key", "secret"), `+
			`document.cookie = "key=secret", true`)
	if got, want := Eval[string](p, left), "1,1,key=secret,rgb(255, 0, 0),true"; got != want {
		t.Errorf("the page has %s, want %s", got, want)
	}
	must.Succeed(t, tab.clear(p.flaws.opened()))
	p = tab.page(t)
	if got := Eval[int](p, "history.length"); got != 1 {
		t.Errorf("%d pages to go back to, want this one alone", got)
	}
	p.Open(address)
	if got, want := Eval[string](p, left), "0,0,,rgb(0, 0, 0),false"; got != want {
		t.Errorf("the next page finds %s, want %s", got, want)
	}
}

// TestWanted checks that a package with a list of first tests skips the others, and that a package
// without one skips none. It is not parallel, because it sets the flag -run.
func TestWanted(t *testing.T) {
	run := flag.Lookup("test.run").Value
	before, first := run.String(), browser.first
	t.Cleanup(func() {
		_ = run.Set(before)
		browser.first = first
	})
	for _, c := range []struct {
		first     []string
		run, name string
		want      bool
	}{
		{nil, "", "TestA", false},
		{nil, ".", "TestA", true},
		{[]string{"TestA"}, "", "TestA/part", true},
		{[]string{"TestA"}, "", "TestB", false},
		{[]string{"TestA"}, "", "TestAB", false},
		{[]string{"TestA"}, ".", "TestB", true},
	} {
		must.Succeed(t, run.Set(c.run))
		browser.first = c.first
		if got := wanted(c.name); got != c.want {
			t.Errorf("first %q, -run %q: %s is wanted: %t, want %t", c.first, c.run, c.name, got, c.want)
		}
	}
}

// TestAxe checks that axe-core runs and that its findings are reported.
func TestAxe(t *testing.T) {
	t.Parallel()
	p := Open(t, site(t, `<button>ok</button>`, ""))
	const axe = `window.axe = {run: async () => ({violations: [{id: "label", nodes: [{target: ["#a"], ` +
		`failureSummary: "Fix it", html: "<a>"}]}]})}`
	must.Equal(t, []string{"label: #a: Fix it <a>"}, p.violations(axe), "violations")
}

// withoutPolicy makes the next page ignore its content security policy.
var withoutPolicy = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
	return err
})

var navigateAgain = chromedp.Reload()

// TestWaitForPromise checks that Wait waits for the result of a promise, which as an object is true.
func TestWaitForPromise(t *testing.T) {
	t.Parallel()
	p := Open(t, site(t, "", ""))
	p.Wait(`new Promise((soon) => setTimeout(() => soon(window.later = true), 20))`)
	p.Wait(`Promise.resolve(window.asked = (window.asked ?? 0) + 1).then((times) => times > 1)`)
	if !Eval[bool](p, "later && asked > 1") {
		t.Error("Wait has not waited")
	}
}
