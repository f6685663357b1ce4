package browsertest

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// withoutPolicy makes the next page ignore its content security policy.
var withoutPolicy = chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
	_, err := cdp.Call(ctx, tab, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
	return err
})

var navigateAgain = chromedp.Reload()
