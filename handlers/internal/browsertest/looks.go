package browsertest

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// look is the window size and the user preferences with which a page is shown.
type look struct {
	width, height int64
	scheme        string // light or dark
	still         bool   // prefers-reduced-motion
	media         string // "print", or "" for a screen
}

func (l look) apply() chromedp.Action[chromedp.Void] {
	motion := map[bool]string{true: "reduce", false: "no-preference"}[l.still]
	return chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		if _, err := chromedp.EmulateViewport(l.width, l.height)(ctx, tab); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Media: l.media, Features: []*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: l.scheme}, {Name: "prefers-reduced-motion", Value: motion},
			}})
		return err
	})
}

// Resize sets the window size, in CSS pixels.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	p.look.width, p.look.height = width, height
	p.Do(p.look.apply())
}

// Prefer sets the user's preferences: the color scheme, "light" or "dark", and whether to allow
// motion.
func (p *Page) Prefer(scheme string, motion bool) {
	p.t.Helper()
	p.look.scheme, p.look.still = scheme, !motion
	p.Do(p.look.apply())
}

// Print emulates printing the page or, if printed is false, shows it on a screen again.
func (p *Page) Print(printed bool) {
	p.t.Helper()
	p.look.media = map[bool]string{true: "print"}[printed]
	p.Do(p.look.apply())
}

// State is a page in a state to test, such as "requests-empty".
type State struct {
	Name string
	Show func(t *testing.T) *Page // opens the page and puts it into the state
	Look func(p *Page)            // scrolls to the relevant part; may be nil
}

// eachLook calls do for every state in each color scheme and window width.
func eachLook(t *testing.T, states []State, schemes []string, widths []int64,
	do func(t *testing.T, p *Page, name string)) {
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
