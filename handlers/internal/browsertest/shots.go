package browsertest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"example.com/petstore/handlers/internal/must"
)

var shots = flag.String("screenshots", "",
	"the folder for pictures of every state of the pages, outside of the repository")

// Screenshots saves screenshots of every state, 1280, 768 and 375 pixels wide, in light and dark mode,
// in the folder given by the flag -screenshots. Without the flag, it only shows each state in the
// narrow window. It fails the test if a page is wider than its window.
func Screenshots(t *testing.T, states []State) {
	schemes, widths := []string{"light"}, []int64{375}
	if *shots != "" {
		schemes, widths = []string{"light", "dark"}, []int64{1280, 768, 375}
	}
	eachLook(t, states, schemes, widths, func(t *testing.T, p *Page, name string) {
		p.Screenshot(name)
		if wide := Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("%s is %d pixels wider than the window", name, wide)
		}
	})
}

// Screenshot saves a screenshot of the window, as PNG, if the flag -screenshots is set.
func (p *Page) Screenshot(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	must.Succeed(p.t, os.MkdirAll(*shots, 0o755))
	picture := must.Get(chromedp.Run(p.ctx, chromedp.CaptureScreenshot()))(p.t)
	must.Succeed(p.t, os.WriteFile(filepath.Join(*shots, name+".png"), picture, 0o644))
}
