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

// patience is how long a test waits for what should come at once.
const patience = 30 * time.Second

// browser is the one of this test binary.
var browser struct {
	once sync.Once
	life context.Context // of the tests; nil: TestMain does not call Closing
	ctx  context.Context // of the browser, whose pages are children of it
	stop func()
	err  error

	first   []string         // tests that run where none are asked for; none: all
	between *httptest.Server // of the empty page that tabs show between two tests

	mu   sync.Mutex
	free []*tab // guarded by mu; those that no test has
}

// Closing returns the tests of m, which end the browser when they are over. A package
// whose tests show pages gives it to what its TestMain calls. A page takes a processor
// about a second: so only the tests that the package names as first, few of all packages,
// run in a plain go test; the others skip unless they are asked for by -run, as .ci/run does.
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

// wanted reports whether the test is one of the first, or was asked for.
func wanted(name string) bool {
	name, _, _ = strings.Cut(name, "/")
	return slices.Contains(browser.first, name) || flag.Lookup("test.run").Value.String() != ""
}

// Require skips the test where there is no chromium, or where it is not wanted; where
// PETSTORE_REQUIRE_TOOLS is set, a missing chromium fails it. [Open] requires it too: only a
// test that would begin something else before calls Require.
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

// unneeded is what takes the browser most of its time if nobody looks at its window:
// processes that are started in case they are wanted, pages that are kept to go back to,
// and the pages that its own address bar consists of.
const unneeded = "SpareRendererForSitePerProcess,BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// emptyPage is kept apart from other pages in the way of those that are tested, so that
// the browser goes from one to another without a new process.
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
		// A page that nobody looks at runs as fast as the one in front.
		chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("host-resolver-rules", "MAP room.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost")) // room.test stands for the address of a machine that others reach
	root, leave := chromedp.NewContext(allocator)
	browser.between = httptest.NewServer(http.HandlerFunc(emptyPage))
	browser.stop = func() {
		leave()
		release()
		browser.between.Close()
	}
	browser.ctx, browser.err = root, chromedp.Do(root)
}
