package command

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"example.com/petstore/fixtures"
)

// progressAfter is how long the seeding takes before it shows how far it is.
const progressAfter = time.Second

// seedStore makes the baseline of the fixture file or of the fakes.
func (o *options) seedStore(stderr, out io.Writer) error {
	if o.fixtures != "" {
		data, err := os.ReadFile(o.fixtures)
		if err != nil {
			return usagef("--fixtures: %w", err)
		}
		if o.config.Baseline, err = fixtures.Decode(data); err != nil {
			return usagef("--fixtures %s cannot be used:\n%w", o.fixtures, err)
		}
		return nil
	}
	progress, done := o.progress(stderr, out)
	defer done()
	state, err := fixtures.Generate(o.seed, o.sizes, progress)
	if err != nil {
		return usageError{err}
	}
	o.config.Baseline, o.config.Seed, o.config.Sizes = state, &o.seed, &o.sizes
	return nil
}

// progress returns a function that shows how far the seeding is, on a terminal
// and once it has taken a while, and one that takes the bar away.
func (o *options) progress(stderr, out io.Writer) (show func(int), done func()) {
	terminal, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	start := time.Now()
	show = func(made int) {
		if time.Since(start) < progressAfter {
			return
		}
		if bar == nil {
			bar = progressbar.NewOptions(o.sizes.Pets+o.sizes.Categories+o.sizes.Orders,
				progressbar.OptionSetWriter(out),
				progressbar.OptionSetWidth(barWidth(terminal)),
				progressbar.OptionSetDescription("seeding"),
				progressbar.OptionShowCount(),
				progressbar.OptionClearOnFinish(),
			)
		}
		_ = bar.Set(made) // a bar that cannot be drawn is no fault
	}
	return show, func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
}

// barWidth leaves room for the bar's numbers on the terminal.
func barWidth(terminal *os.File) int {
	columns, _, err := term.GetSize(int(terminal.Fd()))
	if err != nil {
		return 40
	}
	return max(1, min(40, columns-60))
}
