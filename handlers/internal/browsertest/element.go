package browsertest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// In returns a Page that is limited to the first element matching the CSS selector, for names that
// are not unique in the page.
func (p *Page) In(selector string) *Page {
	part := *p
	part.scope = selector
	return &part
}

// root returns a JavaScript expression for the element to search.
func (p *Page) root() string {
	if p.scope == "" {
		return "document"
	}
	return fmt.Sprintf("document.querySelector(%q)", p.scope)
}

// element is an element in the accessibility tree.
type element struct {
	tab *chromedp.Target
	id  cdp.BackendNodeID
}

// errNotNow means that an attempt may succeed later.
var errNotNow = errors.New("not now")

// find returns the elements with the role and name. An empty name matches all names.
func (p *Page) find(ctx context.Context, tab *chromedp.Target, role, name string) ([]element, error) {
	root, err := cdp.Call(ctx, tab, runtime.Evaluate, runtime.EvaluateParams{Expression: p.root()})
	if err != nil || root.Result.ObjectID == "" {
		return nil, fmt.Errorf("%w: there is no %s", errNotNow, p.root())
	}
	tree, err := cdp.Call(ctx, tab, accessibility.QueryAXTree,
		accessibility.QueryAXTreeParams{ObjectID: root.Result.ObjectID, AccessibleName: name, Role: role})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotNow, err) // the page may be changing
	}
	var found []element
	for _, node := range tree.Nodes {
		if !node.Ignored {
			found = append(found, element{tab, node.BackendDOMNodeID})
		}
	}
	return found, nil
}

// with waits for the only element with the role and name, calls act with it and counts that action.
// It tries again as long as the error is errNotNow.
func (p *Page) with(role, name string, act func(ctx context.Context, e element) error) {
	p.t.Helper()
	p.eventually(fmt.Sprintf("%s %q", role, name), func(ctx context.Context, tab *chromedp.Target) error {
		found, err := p.find(ctx, tab, role, name)
		switch {
		case err != nil:
			return err
		case len(found) != 1:
			return fmt.Errorf("%w: there are %d", errNotNow, len(found))
		}
		return act(ctx, found[0])
	})
	*p.acts++
}

// eventually calls attempt repeatedly as long as it returns errNotNow. Any other error, or a
// timeout, fails the test.
func (p *Page) eventually(what string, attempt func(ctx context.Context, tab *chromedp.Target) error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	var last error
	err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		// Pause longer each time, because attempts slow down the browser.
		for pause := 20 * time.Millisecond; ; pause = min(pause*3/2, 200*time.Millisecond) {
			err := attempt(ctx, tab)
			if !errors.Is(err, errNotNow) {
				return err
			}
			if ctx.Err() == nil {
				last = err
			}
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}))
	if err != nil {
		p.t.Fatalf("%s: %v, last: %v", what, err, last)
	}
}

// call calls a JavaScript function with e as this.
func (e element) call(ctx context.Context, function string,
	args ...*runtime.CallArgument) (*runtime.RemoteObject, error) {
	resolved, err := cdp.Call(ctx, e.tab, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.id})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotNow, err)
	}
	result, err := cdp.Call(ctx, e.tab, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		ObjectID: resolved.Object.ObjectID, FunctionDeclaration: function, Arguments: args, ReturnByValue: new(true),
		AwaitPromise: new(true),
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotNow, err)
	}
	if result.ExceptionDetails != nil {
		return nil, errors.New(result.ExceptionDetails.Exception.Description)
	}
	return result.Result, nil
}
