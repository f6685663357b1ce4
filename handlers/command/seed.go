package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/docker/go-units"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/memory"
)

// While data is generated, progress is shown for the first time after progressAfter and then every
// progressEvery.
const (
	progressAfter = time.Second
	progressEvery = time.Second / 10
)

// seedStore reads the baseline from the --fixtures file, or generates it. With --world, seedStore
// instead reads the world file, which handlers.New validates.
func (o *options) seedStore(out io.Writer) error {
	if o.World != "" {
		var err error
		if o.Config.World, err = o.readFile(o.World); err != nil {
			return usagef("%s: %w", o.called("world"), err)
		}
		return nil
	}
	if o.Fixtures != "" {
		data, err := o.readFile(o.Fixtures)
		if err != nil {
			return usagef("%s: %w", o.called("fixtures"), err)
		}
		if o.Config.Baseline, err = fixtures.Decode(data); err != nil {
			return usagef("%s %s cannot be used:\n%s", o.called("fixtures"), o.Fixtures, rest.Message(err, rest.OnWire))
		}
		return nil
	}
	if needs := memory.LeastLimit(memory.MinFake * int64(o.Fakes.Total())); o.Config.MaxMemory > 0 &&
		needs > o.Config.MaxMemory {
		return usagef("%s of %s is too little for so many records; allow at least %dMiB, or start with fewer",
			o.called("max-memory"), units.BytesSize(float64(o.Config.MaxMemory)), needs>>20)
	}
	progress, done := o.progress(out)
	defer done()
	state, err := fixtures.Generate(o.Config.SeedOrDefault(), o.Fakes, progress)
	if err != nil {
		return usageError{err}
	}
	o.Config.Baseline, o.Config.Sizes = state, &o.Fakes
	return nil
}

// Maximum sizes of a data file, which --max-memory may lower. A pipe or a device has the limit of
// an import, because it may never end.
const (
	maxFile = 1 << 30  // bytes
	maxPipe = 64 << 20 // bytes
)

// mostOfFile returns the maximum size, in bytes, of a data file or of a line of the --keep file.
func (o *options) mostOfFile() int64 {
	if o.Config.MaxMemory == 0 {
		return maxFile
	}
	return min(maxFile, o.Config.MaxMemory/memory.ImportPerByte)
}

// readFile reads a data file, which may be a pipe or a device. It returns an error if the file is
// too large.
func (o *options) readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	most, advice := o.mostOfFile(), "the most that --max-memory leaves for it; use a smaller one, or allow more"
	switch {
	case !info.Mode().IsRegular() && most > maxPipe:
		most, advice = maxPipe,
			"the maximum for a pipe or a device; save it as a file, which may be larger, and name that"
	case most == maxFile:
		advice = "the most that a file may have; use a smaller one"
	}
	var data bytes.Buffer
	if info.Mode().IsRegular() && info.Size() <= most {
		data.Grow(int(info.Size()) + bytes.MinRead) // allocate once, to avoid copying
	}
	_, err = data.ReadFrom(io.LimitReader(file, most+1))
	if int64(data.Len()) > most {
		return nil, fmt.Errorf("%s has more than %s, %s", path, units.BytesSize(float64(most)), advice)
	}
	return data.Bytes(), err
}

// progress returns two functions. show displays the number of records generated so far, once the
// generation has taken progressAfter. done clears the displayed line. If standard error is not a
// terminal, show is nil.
func (o *options) progress(out io.Writer) (show func(made int), done func()) {
	if !o.terminal {
		return nil, func() {}
	}
	total := o.Fakes.Total()
	next := time.Now().Add(progressAfter)
	shown := false
	show = func(made int) {
		if now := time.Now(); now.After(next) {
			fmt.Fprintf(out, "\rseeding: %3d%% (%d of %d)", 100*made/total, made, total)
			next, shown = now.Add(progressEvery), true
		}
	}
	return show, func() {
		if shown {
			fmt.Fprint(out, "\r\x1b[K") // erase to the end of the line
		}
	}
}
