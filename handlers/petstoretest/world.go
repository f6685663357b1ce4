package petstoretest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// WorldOption says how a world is started from: see [FromWorld] and [Sandbox.ImportWorld].
type WorldOption func(*worldOptions)

type worldOptions struct{ draw uint64 }

// AtDraw makes the next request draw its chance as the request of the number did, which is
// the Draw of its [Entry] in the journal: so a failure that a fault's probability brought about
// comes again. The following requests go on from there.
func AtDraw(number uint64) WorldOption { return func(o *worldOptions) { o.draw = number } }

// worldOptionsOf returns what options say together.
func worldOptionsOf(opts []WorldOption) (worldOptions, error) {
	o := worldOptions{draw: math.MaxUint64}
	for _, opt := range opts {
		if opt == nil {
			return o, errors.New("an option of a world is nil; leave it out")
		}
		opt(&o)
	}
	switch {
	case o.draw == math.MaxUint64:
		o.draw = 0
	case o.draw < 1 || o.draw > store.MaxID:
		return o, fmt.Errorf("AtDraw needs the number of a request, from 1 to %d, not %d; the journal says it of each that drew", int64(store.MaxID), o.draw)
	}
	return o, nil
}

// ExportWorld returns all that the sandbox holds as JSON: data, baseline, snapshots, clock,
// lifecycles, faults, and the draw of the next request. In a sandbox of any server that
// imports it the same requests get the same responses. Fake data is its seed and sizes. The
// text ends with the requests that the sandbox has answered, which importing leaves out.
func (s *Sandbox) ExportWorld() string {
	s.t.Helper()
	return string(s.world(false))
}

// ExportWorldWithData is [Sandbox.ExportWorld] with fake data written out, so that versions
// of this package can import it that would make other data.
func (s *Sandbox) ExportWorldWithData() string {
	s.t.Helper()
	return string(s.world(true))
}

func (s *Sandbox) world(data bool) []byte {
	s.t.Helper()
	var b bytes.Buffer
	s.must(world.Write(&b, s.live(), data, nil))
	return b.Bytes()
}

// ImportWorld replaces all that the sandbox holds by the world, and makes it like new
// besides: its journal, report and undo history are empty. A clock that is not frozen runs on
// from the time in the file. A file with errors ends the test with all of them, each with its
// place.
func (s *Sandbox) ImportWorld(file string, opts ...WorldOption) {
	s.t.Helper()
	o, err := worldOptionsOf(opts)
	s.must(err)
	read, err := world.Read([]byte(file), s.live(), nil)
	s.must(err)
	if o.draw != 0 {
		read.Draw = o.draw
	}
	s.must(s.live().Load(read))
}

// maxKept is how many records fake data may have for [Sandbox.KeepWorld] to write them out.
const maxKept = 10_000

// keepAdvice says how go test keeps what KeepWorld writes.
const keepAdvice = "run with -artifacts to keep it"

// KeepWorld makes the test, if it fails, leave two files in its artifact directory (see
// [testing.TB.ArtifactDir]) that are named after the sandbox: the world as it is when the test
// is over, with which [FromWorld] starts, and the journal as an HTTP Archive (see
// [Sandbox.HAR]). The test's log says where they are. Without the flag -artifacts, go test
// deletes them at its end, and the log says so.
//
// To see one of the requests again, start with [AtDraw] of the Draw of its [Entry], which the
// world's journal and the archive (_draw) have too. Call it where the sandbox is made.
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
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) { // one that was made during the cleanup ends with a part of it
			s.t.Logf("petstoretest: the sandbox %q is not kept, since go test has deleted the artifact directory already; "+keepAdvice, s.Name)
			return
		}
		data := s.sandbox.Baseline().State.Records() <= maxKept
		path := s.keep(dir, ".world.json", func(w io.Writer) error { return world.Write(w, s.sandbox, data, nil) })
		har := s.keep(dir, ".har", func(w io.Writer) error {
			requests, err := s.sandbox.Journal.Select(Filter{}, math.MaxInt, false, nil)
			if err != nil {
				return err
			}
			return s.sandbox.Archive(s.core.version).Write(w, requests.Entries())
		})
		advice := "FromWorld starts with the sandbox, AtDraw meets the chance of one of its requests"
		if f := flag.Lookup("test.artifacts"); f == nil || f.Value.String() != "true" {
			advice = "go test deletes both now; " + keepAdvice
		}
		s.t.Logf("petstoretest: the sandbox is kept in %s and its requests in %s; %s", path, har, advice)
	})
}

// keep writes a file of the sandbox, and returns its path.
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
