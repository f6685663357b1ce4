package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"
)

// Page is a page in its own profile: it shares no cookie and no storage with another page. An action
// that is impossible for half a minute ends the test. A page belongs to one goroutine.
type Page struct {
	t     testing.TB
	ctx   context.Context
	flaws *flaws
	look  look
	scope string // CSS selector of the element to search, or empty
}

// Open shows the page at the address, 1280 by 800 pixels, light. At the end of the test it closes
// the page and fails the test if the page had errors; see [Page.Allow].
func Open(t testing.TB, address string) *Page {
	t.Helper()
	p := newPage(t)
	t.Cleanup(func() {
		_, _ = try[int](p, "0") // the browser reports earlier errors before this result
		for _, flaw := range p.flaws.list() {
			t.Errorf("the page %s", flaw)
		}
	})
	p.Open(address)
	return p
}

// newPage returns an empty page whose errors fail no test.
func newPage(t testing.TB) *Page {
	t.Helper()
	tab := takeTab(t)
	p := tab.page(t)
	t.Cleanup(func() { tab.giveBack(p.flaws) })
	return p
}

// focused makes the page behave as the one in front, so that it has the focus.
var focused = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return err
})

// trusting accepts certificates made by the test.
var trusting = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	return err
})

// Open navigates to the address, to whose host the page may send requests from now on.
func (p *Page) Open(address string) {
	p.t.Helper()
	p.flaws.allowHost(address)
	p.Do(chromedp.Navigate(address))
}

// Do runs actions of chromedp, for what this package has no method for.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// Eval evaluates the expression in the page and returns its value. It waits for a promise.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	value, err := try[T](p, expression)
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

func try[T any](p *Page, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}
