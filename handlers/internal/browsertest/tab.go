package browsertest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// tab is a tab of the browser with its own profile. Tests reuse tabs, because a new profile takes the
// browser longer than most pages.
type tab struct {
	ctx   context.Context // ends with the browser
	close func()
	flaws atomic.Pointer[flaws] // of the page that uses the tab; nil if the tab is unused
}

// takeTab returns an unused tab with an empty page.
func takeTab(t testing.TB) *tab {
	t.Helper()
	root := start(t)
	browser.mu.Lock()
	defer browser.mu.Unlock()
	if last := len(browser.free) - 1; last >= 0 {
		taken := browser.free[last]
		browser.free = browser.free[:last]
		return taken
	}
	made := new(tab)
	made.ctx, made.close = chromedp.NewContext(root, chromedp.WithNewBrowserContext(), chromedp.WithListener(made.hear))
	if err := chromedp.Do(made.ctx); err != nil { // the tab lives as long as the context of its first call
		made.close()
		t.Fatalf("the browser opens no page: %v", err)
	}
	return made
}

// page returns the tab's page for the test.
func (b *tab) page(t testing.TB) *Page {
	t.Helper()
	p := &Page{t: t, ctx: b.ctx, flaws: new(flaws), look: look{width: 1280, height: 800, scheme: "light"}}
	b.flaws.Store(p.flaws)
	p.Do(focused, trusting, p.look.apply())
	return p
}

// giveBack makes the tab available to other tests, or closes it if it cannot be cleared.
func (b *tab) giveBack(f *flaws) {
	err := b.clear(f.opened())
	b.flaws.Store(nil)
	if err != nil {
		b.close()
		return
	}
	browser.mu.Lock()
	defer browser.mu.Unlock()
	browser.free = append(browser.free, b)
}

// clear removes cookies and storage of the origins from the tab. The open page clears its own session
// storage, which the browser keeps.
func (b *tab) clear(origins []string) error {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	forget := chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		for _, origin := range origins {
			all := storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"}
			if _, err := cdp.Call(ctx, tab, storage.ClearDataForOrigin, all); err != nil {
				return err
			}
		}
		if _, err := cdp.Call(ctx, tab, page.SetBypassCSP, page.SetBypassCSPParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, tab, page.ResetNavigationHistory, cdp.Empty{})
		return err
	})
	const empty = "(() => { try { sessionStorage.clear() } catch {} return true })()" // an empty page has no session storage
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](empty)); err != nil {
		return err
	}
	return chromedp.Do(ctx, chromedp.Navigate(browser.between.URL), forget)
}

// hear passes an event of the tab to the page that uses it.
func (b *tab) hear(event any) {
	if f := b.flaws.Load(); f != nil {
		f.listen(event)
	}
}
