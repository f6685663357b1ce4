package browsertest

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
)

// Wait waits until the JavaScript expression, or the result of its promise, is true. It keeps waiting
// if the page changes or if the expression throws an error.
func (p *Page) Wait(expression string) {
	p.t.Helper()
	p.eventually(expression, func(ctx context.Context, tab *chromedp.Target) error {
		ok, err := chromedp.Evaluate[bool]("(async () => !!(await ("+expression+"\n)))()",
			chromedp.EvalAwaitPromise)(ctx, tab)
		if err != nil {
			return fmt.Errorf("%w: %w", errNotNow, err)
		}
		if !ok {
			return fmt.Errorf("%w: it is false", errNotNow)
		}
		return nil
	})
}

// WaitText waits until the first element that matches the CSS selector contains the text. Runs of
// white space count as one space.
func (p *Page) WaitText(selector, text string) {
	p.t.Helper()
	p.eventually(fmt.Sprintf("%q in %s", text, selector), func(ctx context.Context, tab *chromedp.Target) error {
		has, err := chromedp.Evaluate[string](p.textOf(selector))(ctx, tab)
		if err != nil || !strings.Contains(oneSpace(has), oneSpace(text)) {
			return fmt.Errorf("%w: it has %q, %v", errNotNow, oneSpace(has), err)
		}
		return nil
	})
}

// Text waits for an element that matches the CSS selector and returns the text of the first one. It
// replaces runs of white space by one space.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	var text string
	p.eventually(selector, func(ctx context.Context, tab *chromedp.Target) (err error) {
		if text, err = chromedp.Evaluate[string](p.textOf(selector))(ctx, tab); err != nil {
			return fmt.Errorf("%w: %w", errNotNow, err)
		}
		return nil
	})
	return oneSpace(text)
}

func (p *Page) textOf(selector string) string {
	return fmt.Sprintf("%s.querySelector(%q).innerText", p.root(), selector)
}

func oneSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// See waits for an element with the role and name.
func (p *Page) See(role, name string) {
	p.t.Helper()
	p.waitForNumber(role, name, func(n int) bool { return n > 0 })
}

// Miss waits until no element has the role and name.
func (p *Page) Miss(role, name string) {
	p.t.Helper()
	p.waitForNumber(role, name, func(n int) bool { return n == 0 })
}

func (p *Page) waitForNumber(role, name string, enough func(int) bool) {
	p.t.Helper()
	p.eventually(fmt.Sprintf("%s %q", role, name), func(ctx context.Context, tab *chromedp.Target) error {
		found, err := p.find(ctx, tab, role, name)
		if err == nil && !enough(len(found)) {
			err = fmt.Errorf("%w: there are %d", errNotNow, len(found))
		}
		return err
	})
}
