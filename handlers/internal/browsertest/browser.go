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

// patience is the longest wait for an immediate event.
const patience = 30 * time.Second

// browser is the browser of this test binary.
var browser struct {
	once sync.Once
	life context.Context // ends with the tests; nil if TestMain does not call Closing
	ctx  context.Context // the browser's; the pages' contexts are its children
	stop func()
	err  error

	first   []string         // the tests that a plain `go test` runs; empty means all
	between *httptest.Server // serves the empty page that tabs show between tests

	mu   sync.Mutex
	free []*tab // guarded by mu: the unused tabs
}

// Closing returns m with the browser closed after its tests. TestMain of a package that tests pages
// passes it on to its Run function. Because a page costs about a second of processor time, a plain
// `go test` runs only the tests named in first. The others skip unless the flag -run names them,
// as in .ci/run.
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

// wanted reports whether the test is one of the first, or was requested by -run.
func wanted(name string) bool {
	name, _, _ = strings.Cut(name, "/")
	return slices.Contains(browser.first, name) || flag.Lookup("test.run").Value.String() != ""
}

// Require skips the test if it is not requested or if chromium is missing. If PETSTORE_REQUIRE_TOOLS
// is set, a missing chromium fails the test. [Open] calls Require. A test calls it only if it starts
// something else before.
func Require(t testing.TB) (chromium string) {
	t.Helper()
	path, err := exec.LookPath("chromium")
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

// start returns the context of the browser.
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

// unneeded are the features that cost a browser without a window most of its time: spare processes,
// cached pages for Back, and the pages of its address bar.
const unneeded = "SpareRendererForSitePerProcess,BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// emptyPage has the opener policy of the tested pages, so that the browser needs no new process to
// navigate between them.
func emptyPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	_, _ = io.WriteString(w, `<!doctype html><title>Between two tests</title><link rel="icon" href="data:,">`)
}

func launch(path string) {
	allocator, release := chromedp.NewExecAllocator(browser.life, chromedp.ExecPath(path),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("process-per-site", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-features", unneeded),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("mute-audio", true),
		// Pages in the background run as fast as the one in front.
		chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		// room.test stands for an address that other machines can reach.
		chromedp.Flag("host-resolver-rules", "MAP room.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	root, leave := chromedp.NewContext(allocator)
	browser.between = httptest.NewServer(http.HandlerFunc(emptyPage))
	browser.stop = func() {
		leave()
		release()
		browser.between.Close()
	}
	browser.ctx, browser.err = root, chromedp.Do(root)
}
