package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"
)

// Page is a page that has a profile to itself: no cookie or storage is shared with
// another. What cannot be done within half a minute ends the test. A page belongs to one
// goroutine.
type Page struct {
	t     testing.TB
	ctx   context.Context
	flaws *flaws
	look  look
	scope string // what is looked for is in the element with this CSS selector, if any
}

// Open shows the page at the address, 1280 by 800 pixels, light. It closes with the
// test, which then fails if something was wrong with the page; see [Page.Allow].
func Open(t testing.TB, address string) *Page {
	t.Helper()
	p := newPage(t)
	t.Cleanup(func() {
		_, _ = try[int](p, "0") // what was wrong before is told before this is answered
		for _, flaw := range p.flaws.list() {
			t.Errorf("the page %s", flaw)
		}
	})
	p.Open(address)
	return p
}

// newPage returns an empty page, whose flaws nobody reads.
func newPage(t testing.TB) *Page {
	t.Helper()
	tab := takeTab(t)
	p := tab.page(t)
	t.Cleanup(func() { tab.giveBack(p.flaws) })
	return p
}

// focused lets a page behave as the one in front, as a person's only one does.
var focused = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return err
})

// trusting lets a page be served over HTTPS, by a certificate that the test has made.
var trusting = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
	return err
})

// Open goes to the address. The page may ask the host of it from now on.
func (p *Page) Open(address string) {
	p.t.Helper()
	p.flaws.allowHost(address)
	p.Do(chromedp.Navigate(address))
}

// Do does what this package has no words for.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// Eval evaluates the expression in the page, waits for it if it is a promise, and
// returns its value.
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
