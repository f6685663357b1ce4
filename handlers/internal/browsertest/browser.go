package browsertest

import (
	"context"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is how long to wait for something that should happen at once.
const patience = 30 * time.Second

// browser is the browser that all tests in this binary share.
var browser struct {
	once sync.Once
	life context.Context // cancelled after the tests; nil if TestMain does not call Closing
	ctx  context.Context // parent of the tabs' contexts
	stop func()
	err  error

	first   []string         // the tests that run without the flag -run
	between *httptest.Server // serves the empty page that tabs show between tests

	mu   sync.Mutex
	free []*tab // guarded by mu: unused tabs
}

// Closing wraps m so that Run closes the browser after the tests. The TestMain of a package that
// tests pages must run the returned value. Because a page needs about a second of processor time,
// only the tests named in first run by default. The flag -run runs any test, as in .ci/run.
func Closing(m interface{ Run() int }, first ...string) interface{ Run() int } {
	return closing{m, first}
}

type closing struct {
	tests interface{ Run() int }
	first []string
}

func (c closing) Run() int {
	ctx, cancel := context.WithCancel(context.Background())
	browser.life, browser.first = ctx, c.first
	code := c.tests.Run()
	for _, tab := range browser.free {
		tab.close()
	}
	if browser.stop != nil {
		browser.stop()
	}
	cancel()
	return code
}

// wanted reports whether to run the named test: it is one of browser.first, or the flag -run is
// set.
func wanted(name string) bool {
	name, _, _ = strings.Cut(name, "/")
	return slices.Contains(browser.first, name) || flag.Lookup("test.run").Value.String() != ""
}

// Require returns the path of chromium-headless-shell, which needs a third less processor time, or
// of chromium. It skips the test if the test is not wanted or if both are missing. If the variable
// PETSTORE_REQUIRE_TOOLS is set, a missing browser fails the test. [Open] calls Require; a test
// needs to call it only before starting something else.
func Require(t testing.TB) (chromium string) {
	t.Helper()
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	switch {
	case !wanted(t.Name()):
		t.Skip("not one of the few that a plain go test runs; go test -run runs it, and so does .ci/run")
	case err != nil && os.Getenv("PETSTORE_REQUIRE_TOOLS") != "":
		t.Fatal("chromium is missing")
	case err != nil:
		t.Skip("chromium is missing")
	}
	return path
}

// start starts the browser if necessary and returns its context.
func start(t testing.TB) context.Context {
	t.Helper()
	path := Require(t)
	if browser.life == nil {
		t.Fatal("TestMain does not call browsertest.Closing")
	}
	browser.once.Do(func() { launch(path) })
	if browser.err != nil {
		t.Fatalf("chromium does not start: %v", browser.err)
	}
	return browser.ctx
}

// unneeded lists browser features that take most of the time of a browser without a window: spare
// processes, the back/forward cache, and the pages of the address bar.
const unneeded = "SpareRendererForSitePerProcess,BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// emptyPage serves a page with the same opener policy as the tested pages, so that the browser need
// not start a new process to navigate from one to the other.
func emptyPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	_, _ = io.WriteString(w, `<!doctype html><title>Between two tests</title><link rel="icon" href="data:,">`)
}

func launch(path string) {
	allocator, release := chromedp.NewExecAllocator(browser.life, chromedp.ExecPath(path),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("process-per-site", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-features", unneeded),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("mute-audio", true),
		// Do not slow down pages in the background.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		// room.test stands for a host name that other machines can reach.
		chromedp.Flag("host-resolver-rules",
			"MAP room.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	root, leave := chromedp.NewContext(allocator)
	browser.between = httptest.NewServer(http.HandlerFunc(emptyPage))
	browser.stop = func() {
		leave()
		release()
		browser.between.Close()
	}
	browser.ctx, browser.err = root, chromedp.Do(root)
}
