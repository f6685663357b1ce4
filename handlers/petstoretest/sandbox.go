package petstoretest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Sandbox is one isolated copy of the service, with its own data, ids, clock, faults, lifecycles,
// journal, snapshots and webhooks.
//
// Its methods are safe for concurrent use. A call that would get an error over HTTP, such as one
// for a snapshot that does not exist, fails the test immediately (see [testing.TB.FailNow]), so it
// must come from the goroutine of the test. On a server from [Start] without [Server.For], there is
// no test, so such a call panics instead. A call that fails changes nothing.
type Sandbox struct {
	// Name is the value for the header X-Sandbox: the canonical form of Title.
	Name string
	// Title is the name under which the sandbox was created, shortened as [Server.Sandbox] describes.
	Title string
	// URL is the base URL, such as http://127.0.0.1:40123/sandboxes/ada, without a trailing slash.
	URL string
	// Client makes requests to the server. Unless the server is without network, Client can also
	// make requests to other servers. All sandboxes share it. Its connections are closed when the
	// server stops. It does not add a key to requests.
	Client *http.Client

	t       testing.TB
	core    *core
	sandbox *registry.Entry

	everywhere bool // set during Everywhere: the sandbox is the template, or may be dropped at any time
}

// MCP returns the URL at which a coding agent can control the sandbox through the Model Context
// Protocol. The server must have the tools for agents, which WithConfig(extras.Add) adds; see
// package handlers/extras.
func (s *Sandbox) MCP() string {
	s.t.Helper()
	s.live() // fail if the sandbox was dropped
	if !s.core.extras {
		s.must(
			errors.New(
				"the server has no tools for agents; start it with WithConfig(extras.Add), of package " +
					"example.com/petstore/handlers/extras"))
	}
	return s.URL + rest.MCPPath
}

// Reset resets the sandbox, but keeps its snapshots and webhooks. With parts such as [PartData], it
// resets only these parts. It takes the same time however much data there is.
func (s *Sandbox) Reset(only ...Part) {
	s.t.Helper()
	for _, part := range only {
		if !slices.Contains(sandbox.Parts(), part) {
			s.must(fmt.Errorf("a sandbox has no part %q; its parts are %v", part, sandbox.Parts()))
		}
	}
	s.live().Reset(only...)
}

// ResetTo resets the sandbox to fake data generated from the seed and sizes. The fake data becomes
// its baseline. The seed also determines the random draws. The data may have at most
// Config.MaxRecords more records than the data that the server started with.
func (s *Sandbox) ResetTo(seed uint64, sizes Sizes) {
	s.t.Helper()
	baseline, err := s.core.service.Sandboxes().Options.Generate(seed, sizes)
	if err != nil {
		s.must(fmt.Errorf("ResetTo: %w", err))
	}
	if err := s.live().Rebase(baseline); err != nil {
		s.must(fmt.Errorf("ResetTo: %w", err))
	}
}

// Renew makes the sandbox like a new one. It deletes the snapshots and the webhooks, and resets the
// sandbox to the template's data or, without a template, to the data that the server started with.
func (s *Sandbox) Renew() {
	s.t.Helper()
	_, _, _, err := s.core.service.Sandboxes().Make(s.mustName("Renew"), registry.CreateOptions{Fresh: true})
	s.must(err)
}

// SetKey sets the sandbox's own key. The key gives access to the admin API of this sandbox only,
// except for operations that require the server's admin key, such as a reset with other data. If
// key is empty, SetKey removes the sandbox's key, and the sandbox is no longer private. See
// [Config] for the keys of the server.
func (s *Sandbox) SetKey(key string) {
	s.t.Helper()
	if key != "" {
		if err := registry.CheckKey(key); err != nil {
			s.must(fmt.Errorf("the key %w", err))
		}
	}
	_, _, _, err := s.core.service.Sandboxes().Make(s.mustName("SetKey"), registry.CreateOptions{Key: &key})
	s.must(err)
}

// SetPrivate sets whether requests to the service in the sandbox must carry the sandbox's key or
// the server's admin key. If private is true and the sandbox has no key, SetPrivate generates one
// and returns it. Otherwise it returns "".
func (s *Sandbox) SetPrivate(private bool) (key string) {
	s.t.Helper()
	_, _, key, err := s.core.service.Sandboxes().
		Make(s.mustName("SetPrivate"), registry.CreateOptions{Private: &private})
	s.must(err)
	return key
}

// Baseline returns the baseline, which a reset restores.
func (s *Sandbox) Baseline() Baseline {
	s.t.Helper()
	return s.live().Baseline()
}

// Fork copies the sandbox's current data, clock, faults, lifecycles and snapshots to a new sandbox.
// The copy's journal and report are empty, and its random draws start from the beginning. A fork
// takes a few microseconds, however much data there is. The name must not be in use. See
// [Server.Sandbox] for valid names and for when the copy is dropped.
func (s *Sandbox) Fork(name string) *Sandbox {
	s.t.Helper()
	return s.fork("Fork", name, nil)
}

// ForkAt is like [Sandbox.Fork], but the copy gets the data that [Sandbox.StateAt] returns.
func (s *Sandbox) ForkAt(name string, entry int64) *Sandbox {
	s.t.Helper()
	return s.fork("ForkAt", name, &entry)
}

func (s *Sandbox) fork(method, name string, entry *int64) *Sandbox {
	s.t.Helper()
	name = s.mustTitle(name)
	_, err := s.core.service.Sandboxes().Fork(s.mustName(method), name, entry)
	s.must(err)
	return s.hold(name, true)
}

// Drop drops the sandbox. The next request to its URL creates a new one, which [Server.Sandbox]
// returns. Any later call of a method of s fails the test. The default sandbox cannot be dropped.
func (s *Sandbox) Drop() {
	s.t.Helper()
	s.must(s.core.service.Sandboxes().Drop(s.mustName("Drop")))
}

// live returns the sandbox. If the sandbox was dropped, live fails the test, because changing the
// sandbox would have no visible effect. In Everywhere, a dropped sandbox is not an error.
func (s *Sandbox) live() *registry.Entry {
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

// there reports whether the sandbox is still registered.
func (s *Sandbox) there() bool {
	now, err := s.core.service.Sandboxes().Find(s.Name)
	return err == nil && now == s.sandbox
}

// mustName returns the sandbox's name in the registry. The template has no name there, so mustName
// fails the test for the template.
func (s *Sandbox) mustName(method string) string {
	s.t.Helper()
	if s.URL == "" {
		s.must(
			fmt.Errorf(
				"%s is for a sandbox, not for the template, which Everywhere changes first; range over Server.Sandboxes", method))
	}
	s.mustBeThere()
	return s.Name
}

// hold returns the sandbox with the name, creating it if needed. The sandbox does not count as idle
// until the test is over. If hold or a fork created the sandbox, it is dropped at the end of the
// test.
func (s *Sandbox) hold(name string, forked bool) *Sandbox {
	s.t.Helper()
	sandboxes := s.core.service.Sandboxes()
	held, made, _, err := sandboxes.Make(name, registry.CreateOptions{Hold: true})
	s.must(err)
	s.t.Cleanup(func() {
		held.Touch(sandbox.Machine())
		held.Release()
		if now, err := sandboxes.Find(held.Name); (made || forked) && err == nil && now == held {
			_ = sandboxes.Drop(held.Name)
		}
	})
	return s.core.sandbox(s.t, held)
}

// mustTitle returns the title for a name, and fails the test if the name is empty.
func (s *Sandbox) mustTitle(text string) string {
	s.t.Helper()
	if text == "" {
		s.must(errors.New("a sandbox must have a name; use t.Name()"))
	}
	return sandbox.TitleOf(text)
}

// must fails the test if err is not nil.
func (s *Sandbox) must(err error) {
	if err != nil {
		s.t.Helper()
		s.t.Fatalf("petstoretest: %s", rest.Message(err, rest.InGo))
	}
}

// noTest stands in for the test if the server belongs to none.
type noTest struct{ testing.TB }

func (noTest) Helper()        {}
func (noTest) Cleanup(func()) {}

func (noTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
