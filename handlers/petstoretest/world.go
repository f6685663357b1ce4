package petstoretest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// WorldOption changes how a world is loaded: see [FromWorld] and [Sandbox.ImportWorld].
type WorldOption struct{ draw uint64 }

// AtDraw makes the next request repeat the random draws of a recorded request. number is the Draw
// of the recorded request's [Entry]. So a test can repeat a failure that depended on the
// probability of a fault rule. Later requests get the draw numbers that follow.
func AtDraw(number uint64) WorldOption { return WorldOption{number} }

// drawOf returns the draw number that the options set. Without options, it returns 0, and the
// number in the world applies. It returns an error if an option is invalid.
func drawOf(opts []WorldOption) (number uint64, err error) {
	for _, opt := range opts {
		if number = opt.draw; number < 1 || number > store.MaxID {
			err = fmt.Errorf("AtDraw needs the number of a request, from 1 to %d, not %d; Entry.Draw has the numbers",
				int64(store.MaxID), number)
		}
	}
	return number, err
}

// ExportWorld returns the whole sandbox as JSON: data, baseline, snapshots, clock, lifecycles,
// faults, and the number of the next draw. In any sandbox that imports the result, the same
// requests get the same responses. Fake data is exported as its seed and sizes. The export ends
// with the recorded requests, which ImportWorld ignores.
func (s *Sandbox) ExportWorld() string {
	s.t.Helper()
	return string(s.world(false))
}

// ExportWorldWithData is like [Sandbox.ExportWorld], but writes out the records of fake data. Use
// it if a version of this package that generates other data from the same seed may import the
// result.
func (s *Sandbox) ExportWorldWithData() string {
	s.t.Helper()
	return string(s.world(true))
}

func (s *Sandbox) world(data bool) []byte {
	s.t.Helper()
	var b bytes.Buffer
	s.must(world.Write(&b, s.live().Sandbox, data, nil))
	return b.Bytes()
}

// ImportWorld replaces the contents of the sandbox with the world and clears its journal, report
// and undo history. A clock that is not frozen continues from the time in the file. If the file is
// invalid, ImportWorld fails the test and reports all errors with their locations.
func (s *Sandbox) ImportWorld(file string, opts ...WorldOption) {
	s.t.Helper()
	draw, err := drawOf(opts)
	s.must(err)
	read, err := world.Read([]byte(file), s.live().Sandbox, nil)
	s.must(err)
	if draw != 0 {
		read.Draw = draw
	}
	s.must(s.live().Load(read))
}

// maxKept is the maximum number of fake records that [Sandbox.KeepWorld] writes out.
const maxKept = 10_000

// keepAdvice is the part of a message that describes how to keep the files of KeepWorld.
const keepAdvice = "run with -artifacts to keep them"

// KeepWorld writes two files when the test ends, if the test failed: the world, for [FromWorld],
// and the journal as an HTTP Archive (see [Sandbox.HAR]). The files are in the test's artifact
// directory (see [testing.TB.ArtifactDir]) and named after the sandbox, and the test's log has
// their paths. Without the flag -artifacts, go test deletes the files afterwards, and the log says
// so.
//
// To repeat one of the requests, pass the Draw of its [Entry] to [AtDraw]. The Draw is also in the
// world's journal and, as _draw, in the archive. Call KeepWorld where the sandbox is created.
func (s *Sandbox) KeepWorld() {
	s.t.Helper()
	if _, ok := s.t.(noTest); ok {
		s.must(errors.New("KeepWorld needs a test; Server.For returns the server for one"))
	}
	s.live()
	s.t.Cleanup(func() {
		if !s.t.Failed() {
			return
		}
		s.t.Helper()
		dir := s.t.ArtifactDir()
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) { // go test has deleted its parent directory
			s.t.Logf(
				"petstoretest: the sandbox %q is not kept, since go test has deleted the artifact directory already; "+keepAdvice, s.Name)
			return
		}
		data := s.sandbox.Baseline().State.Records() <= maxKept
		path := s.keep(dir, ".world.json", func(w io.Writer) error {
			return world.Write(w, s.sandbox.Sandbox, data, nil)
		})
		har := s.keep(dir, ".har", func(w io.Writer) error { return s.writeHAR(w, journal.Filter{}) })
		advice := "FromWorld starts with the sandbox, AtDraw meets the chance of one of its requests"
		if f := flag.Lookup("test.artifacts"); f == nil || f.Value.String() != "true" {
			advice = "go test deletes both now; " + keepAdvice
		}
		s.t.Logf("petstoretest: The world is kept in %s, and the requests in %s; %s", path, har, advice)
	})
}

// keep calls write to save a file for the sandbox in dir, and returns the file's path.
func (s *Sandbox) keep(dir, ending string, write func(io.Writer) error) string {
	s.t.Helper()
	path := filepath.Join(dir, s.Name+ending)
	var b bytes.Buffer
	err := write(&b)
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o666)
	}
	if err != nil {
		s.t.Errorf("petstoretest: the sandbox cannot be kept: %v", err)
	}
	return path
}
