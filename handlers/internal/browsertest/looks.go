package browsertest

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// look is how a page is looked at.
type look struct {
	width, height int64
	scheme        string // of colours: light or dark
	still         bool   // without motion, where the page heeds that
	media         string // print, or as on a screen
}

func (l look) apply() chromedp.Action[chromedp.Void] {
	motion := map[bool]string{true: "reduce", false: "no-preference"}[l.still]
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		if _, err := chromedp.EmulateViewport(l.width, l.height)(ctx, tab); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: l.media, Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: l.scheme}, {Name: "prefers-reduced-motion", Value: motion},
		}})
		return err
	})
}

// Resize makes the window so large, in CSS pixels.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	p.look.width, p.look.height = width, height
	p.Do(p.look.apply())
}

// Prefer sets the person's choice of colours, light or dark, and whether things may move.
func (p *Page) Prefer(scheme string, motion bool) {
	p.t.Helper()
	p.look.scheme, p.look.still = scheme, !motion
	p.Do(p.look.apply())
}

// Print shows the page as it is printed, or on a screen again.
func (p *Page) Print(printed bool) {
	p.t.Helper()
	p.look.media = map[bool]string{true: "print"}[printed]
	p.Do(p.look.apply())
}

// State is a page in one state, such as "requests-empty".
type State struct {
	Name string
	Show func(t *testing.T) *Page // opens it, and brings it there
	Look func(p *Page)            // brings into view what is to be seen, in each look; nil: it is in view
}

// eachLook shows every state in each scheme of colours, and calls do in each width.
func eachLook(t *testing.T, states []State, schemes []string, widths []int64, do func(t *testing.T, p *Page, name string)) {
	for _, state := range states {
		t.Run(state.Name, func(t *testing.T) {
			t.Parallel()
			p := state.Show(t)
			for _, scheme := range schemes {
				p.Prefer(scheme, false)
				for _, width := range widths {
					p.Resize(width, 900)
					if state.Look != nil {
						state.Look(p)
					}
					do(t, p, fmt.Sprintf("%s-%d-%s", state.Name, width, scheme))
				}
			}
		})
	}
}
