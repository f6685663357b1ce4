package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"example.com/petstore/handlers/internal/must"
)

// Keys for [Page.Press].
const (
	Tab    = kb.Tab
	Enter  = kb.Enter
	Escape = kb.Escape
	Up     = kb.ArrowUp
	Down   = kb.ArrowDown
	Home   = kb.Home
	End    = kb.End
	Left   = kb.ArrowLeft
	Right  = kb.ArrowRight
)

// inTheMiddle scrolls to an element and returns the point to click. It returns null if the element
// is covered, disabled or moving.
const inTheMiddle = `async function() {
	const still = () => { const {x, y, width, height} = this.getBoundingClientRect(); return [x, y, width, height].join() }
	this.scrollIntoView({block: "center", inline: "center", behavior: "instant"})
	const before = still()
	await new Promise((soon) => setTimeout(soon, 20))
	const box = this.getClientRects()[0]
	if (!box || before !== still() || this.disabled) return null
	const x = box.x + box.width / 2, y = box.y + box.height / 2
	const top = document.elementFromPoint(x, y)
	return top && (this.contains(top) || top.contains(this) || top.closest("label")?.control === this) ? [x, y] : null
}`

// Click waits until the only element with the given role and name can be clicked, and clicks it.
func (p *Page) Click(role, name string) {
	p.t.Helper()
	p.with(role, name, func(ctx context.Context, e element) error {
		x, y, err := e.point(ctx)
		if err != nil {
			return err
		}
		_, err = chromedp.MouseClickXY(x, y)(ctx, e.tab)
		return err
	})
}

func (e element) point(ctx context.Context) (x, y float64, err error) {
	result, err := e.call(ctx, inTheMiddle)
	if err != nil {
		return 0, 0, err
	}
	var point []float64
	if err := json.Unmarshal(result.Value, &point); err != nil || len(point) != 2 {
		return 0, 0, fmt.Errorf("%w: it is covered, disabled or moves", errNotNow)
	}
	return point[0], point[1], nil
}

// Hover waits until an element has the selector, and moves the pointer to its middle.
func (p *Page) Hover(selector string) {
	p.t.Helper()
	p.Wait(`document.querySelector("` + selector + `")`)
	at := Eval[[]float64](p, `(({x, y, width, height}) => [x + width / 2, y + height / 2])(document.querySelector("`+
		selector+`").getBoundingClientRect())`)
	p.Do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	p.Wait(`document.querySelector("` + selector + `:hover")`)
}

// Fill replaces the text in the input field with the given name. role is textbox, searchbox,
// spinbutton or combobox.
func (p *Page) Fill(role, name, text string) {
	p.t.Helper()
	p.with(role, name, func(ctx context.Context, e element) error {
		if _, err := e.call(ctx, `function() {
			if (this.disabled || this.readOnly) throw new Error("it takes no text")
			this.focus()
			this.select ? this.select() : getSelection().selectAllChildren(this)
		}`); err != nil {
			return err
		}
		if text == "" {
			_, err := chromedp.KeyEvent(kb.Delete)(ctx, e.tab)
			return err
		}
		_, err := cdp.Call(ctx, e.tab, input.InsertText, input.InsertTextParams{Text: text})
		return err
	})
}

// Choose selects the option with the given text in the named list.
func (p *Page) Choose(name, option string) {
	p.t.Helper()
	text := must.Get(json.Marshal(option))(p.t)
	p.with("combobox", name, func(ctx context.Context, e element) error {
		chosen, err := e.call(ctx, `function(text) {
			const option = [...this.options].find((o) => o.text === text)
			if (!option) return false
			this.value = option.value
			this.dispatchEvent(new Event("input", {bubbles: true}))
			this.dispatchEvent(new Event("change", {bubbles: true}))
			return true
		}`, &runtime.CallArgument{Value: text})
		if err == nil && string(chosen.Value) != "true" {
			err = fmt.Errorf("%w: it has no option %q", errNotNow, option)
		}
		return err
	})
}

// Press presses keys in order. It types any string that is not one of the constants above.
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.Do(press(key))
		*p.acts++
	}
}

// Acts returns the number of clicks, filled fields, chosen options and pressed keys so far. A text
// counts like one key.
func (p *Page) Acts() int { return *p.acts }

// press sends key events like a keyboard: the keydown event carries the text, so that a page can
// prevent the input by handling that event.
func press(keys string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		for _, key := range keys {
			events := kb.Encode(key)
			if down := events[0]; len(events) == 3 {
				down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
				events = slices.Delete(events, 1, 2)
			}
			for _, event := range events {
				if _, err := cdp.Call(ctx, tab, input.DispatchKeyEvent, *event); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Hide makes the page believe that it is in the background or, if hidden is false, visible again.
func (p *Page) Hide(hidden bool) {
	p.t.Helper()
	state := map[bool]string{true: "hidden", false: "visible"}[hidden]
	done := Eval[bool](p, fmt.Sprintf(`(() => {
		Object.defineProperty(document, "visibilityState", {configurable: true, get: () => %q})
		Object.defineProperty(document, "hidden", {configurable: true, get: () => %t})
		return document.dispatchEvent(new Event("visibilitychange", {bubbles: true}))
	})()`, state, hidden))
	if !done {
		p.t.Fatal(errors.New("the page stops the event visibilitychange"))
	}
}
