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

// tab is a browser tab with its own profile. Tests reuse tabs, because creating a profile takes
// longer than loading most pages.
type tab struct {
	ctx   context.Context // cancelled when the browser stops
	close func()
	flaws atomic.Pointer[flaws] // flaws of the page in the tab; nil if the tab is unused
}

// takeTab returns an unused tab, which it opens if necessary.
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
	if err := chromedp.Do(made.ctx); err != nil { // the tab is closed when the context of its first call ends
		made.close()
		t.Fatalf("the browser opens no page: %v", err)
	}
	return made
}

// page returns a Page for t that uses the tab.
func (b *tab) page(t testing.TB) *Page {
	t.Helper()
	p := &Page{t: t, ctx: b.ctx, flaws: new(flaws), acts: new(int),
		look: look{width: 1280, height: 800, scheme: "light"}}
	b.flaws.Store(p.flaws)
	p.Do(focused, trusting, p.look.apply())
	return p
}

// release makes the tab available to other tests. It closes a tab that cannot be cleared.
func (b *tab) release(f *flaws) {
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

// clear removes the cookies and the storage of the origins. It clears session storage with a script
// in the open page, because the browser would keep it.
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
	// An empty page throws: it has no session storage.
	const empty = "(() => { try { sessionStorage.clear() } catch {} return true })()"
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](empty)); err != nil {
		return err
	}
	return chromedp.Do(ctx, chromedp.Navigate(browser.between.URL), forget)
}

// hear passes a browser event to the flaws of the page in the tab.
func (b *tab) hear(event any) {
	if f := b.flaws.Load(); f != nil {
		f.listen(event)
	}
}
