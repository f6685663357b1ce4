package browsertest

import (
	"context"
	"os"
	"os/exec"
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
	ctx  context.Context // of the browser, whose pages are children of it
	stop func()
	err  error
}

// Closing returns the tests of m, which end the browser when they are over. A package
// whose tests show pages gives it to what its TestMain calls.
func Closing(m interface{ Run() int }) interface{ Run() int } { return closing{m} }

type closing struct{ tests interface{ Run() int } }

func (c closing) Run() int {
	ctx, cancel := context.WithCancel(context.Background())
	browser.ctx = ctx
	code := c.tests.Run()
	if browser.stop != nil {
		browser.stop()
	}
	cancel()
	return code
}

// start returns the context of the browser. It skips the test where there is no
// chromium; where PETSTORE_REQUIRE_TOOLS is set, that fails it.
func start(t testing.TB) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("PETSTORE_REQUIRE_TOOLS") != "":
		t.Fatal("chromium is missing")
	case err != nil:
		t.Skip("chromium is missing")
	case browser.ctx == nil:
		t.Fatal("TestMain does not call browsertest.Closing")
	}
	browser.once.Do(func() { launch(path) })
	if browser.err != nil {
		t.Fatalf("chromium does not start: %v", browser.err)
	}
	return browser.ctx
}

func launch(path string) {
	allocator, release := chromedp.NewExecAllocator(browser.ctx, chromedp.ExecPath(path),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("mute-audio", true),
		// A page that nobody looks at runs as fast as the one in front.
		chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	root, leave := chromedp.NewContext(allocator)
	browser.stop = func() {
		leave()
		release()
	}
	browser.ctx, browser.err = root, chromedp.Do(root)
}
