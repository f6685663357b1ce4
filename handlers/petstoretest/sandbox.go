package petstoretest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Sandbox is one isolated copy of the service: data, ids, clock, faults,
// lifecycles, journal and snapshots of its own.
//
// Its methods may be called by any number of goroutines. What would be an error over
// HTTP, such as a snapshot that does not exist, ends the test at once with a message
// (see [testing.TB.FailNow]), so call them from the goroutine of the test. If there
// is no test, on a server of [Start] without [Server.For], they panic instead. A call
// that fails changes nothing.
type Sandbox struct {
	// Name is what the header X-Sandbox calls the sandbox: the canonical form of Title.
	Name string
	// Title is the text by which it was first named, shortened where [Server.Sandbox] says.
	Title string
	// URL is the base address, such as http://127.0.0.1:40123/sandboxes/ada, without
	// a slash at its end.
	URL string
	// Client makes requests to the server and, unless there is no network, to any other.
	// All sandboxes share it. Its connections are closed when the server stops. It sends
	// no key.
	Client *http.Client

	t       testing.TB
	core    *core
	sandbox *sandbox.Sandbox

	everywhere bool // whether it is changed by Everywhere: it is the template, which no name finds, or may go at any time
}

// MCP returns the address at which a coding agent finds the sandbox as tools, by the Model
// Context Protocol.
func (s *Sandbox) MCP() string {
	s.t.Helper()
	s.live() // what is not there is not for agents either
	return s.URL + rest.MCPPath
}

// Reset resets the sandbox except its snapshots, equally fast however much has
// happened in it; with parts such as [PartData], it resets only those.
func (s *Sandbox) Reset(only ...Part) {
	s.t.Helper()
	for _, part := range only {
		if !slices.Contains(sandbox.Parts(), part) {
			s.must(fmt.Errorf("a sandbox has no part %q; its parts are %v", part, sandbox.Parts()))
		}
	}
	s.live().Reset(only...)
}

// ResetTo resets the sandbox to fake data of the seed and sizes, which later resets
// return to as well. Random draws follow the seed too. It may be Config.MaxRecords more
// records than the server started with.
func (s *Sandbox) ResetTo(seed uint64, sizes Sizes) {
	s.t.Helper()
	baseline, err := s.core.service.Sandboxes().Generate(seed, sizes)
	if err != nil {
		s.must(fmt.Errorf("ResetTo: %w", err))
	}
	s.live().Rebase(baseline)
}

// Renew makes the sandbox as a new one is: the data that the server started with, or that
// of the template, which later resets return to again, and no snapshots.
func (s *Sandbox) Renew() {
	s.t.Helper()
	_, _, err := s.core.service.Sandboxes().Make(s.mustName("Renew"), sandbox.CreateOptions{Fresh: true})
	s.must(err)
}

// SetKey gives the sandbox a key of its own, which opens it, and no other, to those who send
// it: all of its admin API but what makes other data. See [Config] for the keys of the
// server. The empty key takes it away.
func (s *Sandbox) SetKey(key string) {
	s.t.Helper()
	if key != "" {
		if err := sandbox.CheckKey(key); err != nil {
			s.must(fmt.Errorf("the key %w", err))
		}
	}
	_, _, _, err := s.core.service.Sandboxes().MakeOwned(s.mustName("SetKey"), sandbox.CreateOptions{}, sandbox.Ownership{Key: &key})
	s.must(err)
}

// SetPrivate says whether the service of the sandbox is only for those who send its key or
// the server's admin key. A sandbox that has no key gets one, which is returned; otherwise
// the result is empty.
func (s *Sandbox) SetPrivate(private bool) (key string) {
	s.t.Helper()
	_, _, key, err := s.core.service.Sandboxes().MakeOwned(s.mustName("SetPrivate"), sandbox.CreateOptions{}, sandbox.Ownership{Private: &private})
	s.must(err)
	return key
}

// Baseline returns what a reset returns to.
func (s *Sandbox) Baseline() Baseline {
	s.t.Helper()
	return s.live().Baseline()
}

// Fork makes a sandbox that is a copy of this one at this moment: its data, clock,
// faults, lifecycles and snapshots. Its journal and report are empty, and its random
// draws start again. It costs a few microseconds, however much data there is. See
// [Server.Sandbox] for the name, which must be new, and for when the copy is dropped.
func (s *Sandbox) Fork(name string) *Sandbox {
	s.t.Helper()
	name = s.mustTitle(name)
	_, err := s.core.service.Sandboxes().Fork(s.mustName("Fork"), name)
	s.must(err)
	return s.hold(name, true)
}

// Drop drops the sandbox: the next request to it creates a new one, which
// [Server.Sandbox] returns. Any later method call on this value ends the test. The
// default sandbox cannot be dropped.
func (s *Sandbox) Drop() {
	s.t.Helper()
	s.must(s.core.service.Sandboxes().Drop(s.mustName("Drop")))
}

// live returns the sandbox, or ends the test where it was dropped: it could still be
// changed, and nobody would see that. In Everywhere nobody is to see it.
func (s *Sandbox) live() *sandbox.Sandbox {
	s.t.Helper()
	if !s.everywhere {
		s.mustBeThere()
	}
	return s.sandbox
}

func (s *Sandbox) mustBeThere() {
	s.t.Helper()
	if !s.there() {
		s.must(fmt.Errorf("the sandbox %q was dropped; Server.Sandbox makes a new one", s.Name))
	}
}

// there reports whether the registry has the sandbox.
func (s *Sandbox) there() bool {
	now, err := s.core.service.Sandboxes().Find(s.Name)
	return err == nil && now == s.sandbox
}

// mustName returns the name by which the registry finds the sandbox for the method. The
// template has none.
func (s *Sandbox) mustName(method string) string {
	s.t.Helper()
	if s.URL == "" {
		s.must(fmt.Errorf("%s is for a sandbox, not for the template, which Everywhere changes first; range over Server.Sandboxes", method))
	}
	s.mustBeThere()
	return s.Name
}

// hold returns the sandbox of the name, made unless it is there. It does not count as
// idle until the test is over, and is dropped then if the test has made it, here or as
// a fork.
func (s *Sandbox) hold(name string, forked bool) *Sandbox {
	s.t.Helper()
	sandboxes := s.core.service.Sandboxes()
	held, made, err := sandboxes.Hold(name)
	s.must(err)
	s.t.Cleanup(func() {
		held.Touch()
		held.Release()
		if now, err := sandboxes.Find(held.Name); (made || forked) && err == nil && now == held {
			_ = sandboxes.Drop(held.Name)
		}
	})
	return s.core.sandbox(s.t, held)
}

// mustTitle returns the title that a text stands for, and ends the test where it is empty.
func (s *Sandbox) mustTitle(text string) string {
	s.t.Helper()
	if text == "" {
		s.must(errors.New("a sandbox must have a name; use t.Name()"))
	}
	return sandbox.TitleOf(text)
}

// must ends the test where there is an error.
func (s *Sandbox) must(err error) {
	if err != nil {
		s.t.Helper()
		s.t.Fatalf("petstoretest: %s", inGo(err))
	}
}

// noTest stands for the test where there is none.
type noTest struct{ testing.TB }

func (noTest) Helper()        {}
func (noTest) Cleanup(func()) {}

func (noTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
