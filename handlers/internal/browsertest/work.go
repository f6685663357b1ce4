package browsertest

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// Worked returns the processor time of the page's main thread. Other processes do not affect it.
// The browser counts from the first call on, so benchmarks use the difference between two calls.
func (p *Page) Worked() time.Duration {
	p.t.Helper()
	var worked time.Duration
	p.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		if _, err := cdp.Call(ctx, tab, performance.Enable, performance.EnableParams{}); err != nil {
			return err
		}
		result, err := cdp.Call(ctx, tab, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, metric := range result.Metrics {
			if metric.Name == "ThreadTime" {
				worked = time.Duration(metric.Value * float64(time.Second))
			}
		}
		return nil
	}))
	return worked
}
