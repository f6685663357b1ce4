package petstoretest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/petstoretest"
	"example.com/petstore/handlers/sandbox"
)

// TestSandboxesAreIsolated has tests in parallel do everything to sandboxes of one
// server. Each wants to see what it did and nothing else.
func TestSandboxesAreIsolated(t *testing.T) {
	t.Parallel()
	srv, err := petstoretest.Start(petstoretest.WithConfig(func(c *petstoretest.Config) { c.DeprecatedSince = newYear.AddDate(-20, 0, 0) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("group", func(t *testing.T) { // which ends with the parallel tests in it
		for i := range 100 {
			t.Run(fmt.Sprintf("Shop %d", i), func(t *testing.T) {
				t.Parallel()
				isolated(t, srv.For(t).Sandbox(t.Name()), i)
			})
		}
	})
	if all := srv.Sandboxes(); len(all) != 1 || all[0].Name != sandbox.Default {
		t.Errorf("%d sandboxes are left, want the default one", len(all))
	}
	if n := srv.State().Counts().Pets; n != 100 || srv.Clock().Offset != 0 || len(srv.Faults())+len(srv.Requests(petstoretest.Filter{})) > 0 {
		t.Errorf("the default sandbox was touched: %d pets, clock %v, faults %v", n, srv.Clock(), srv.Faults())
	}
	srv.Close()
	srv.Close() // does nothing
	if status := addPet(srv.Client, srv.URL, "Rex"); status != "broken off" {
		t.Errorf("the server answers %s after Close", status)
	}
}

func isolated(t *testing.T, pets *petstoretest.Sandbox, i int) {
	pets.ResetTo(uint64(i), petstoretest.Sizes{Pets: i, Categories: 1})
	pets.Freeze()
	pets.SetTime(newYear.AddDate(0, 0, i))
	if i%2 == 1 {
		pets.Fault(petstoretest.Rule{Match: &petstoretest.Match{Method: "POST"}, Status: new(500 + i), Times: new(1)})
	}
	for n := range 3 {
		want := http.StatusCreated
		if i%2 == 1 && n == 0 {
			want = 500 + i
		}
		if status := addPet(pets.Client, pets.URL, "Rex"); !strings.HasPrefix(status, fmt.Sprint(want, " ")) {
			t.Errorf("POST %d is answered %s, want %d", n, status, want)
		}
	}
	pets.Snapshot("mine")
	if n := len(pets.Requests(petstoretest.Filter{})); n != 3 {
		t.Errorf("%d requests in the journal, want 3", n)
	}
	if n := len(pets.Diff().Pets.Added); n != 3-i%2 {
		t.Errorf("%d pets added, want %d", n, 3-i%2)
	}
	if now := pets.Now(); !now.Equal(newYear.AddDate(0, 0, i)) || len(pets.Snapshots()) != 1 || len(pets.Faults()) != i%2 {
		t.Errorf("it is %v, with %d snapshots and %d faults", now, len(pets.Snapshots()), len(pets.Faults()))
	}
}

func TestSandboxIsTheSameOverHTTP(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	for _, name := range []string{"ada", "Ada", t.Name(), "default"} {
		pets := srv.Sandbox(name)
		if again := srv.Sandbox(name); again.Name != pets.Name || again.URL != pets.URL {
			t.Errorf("%q is %s and %s", name, pets.URL, again.URL)
		}
		addPet(pets.Client, pets.URL, "Rex")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/pets?id=101", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Sandbox", pets.Name)
		response, err := srv.Client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if found := read[[]pet](t, response, http.StatusOK); len(found) != 1 || pets.State().Counts().Pets != 101 {
			t.Errorf("%s has %v by its header and %d pets, want Rex and 101", pets.Name, found, pets.State().Counts().Pets)
		}
	}
	if list := srv.Sandboxes(); len(list) != 4 || list[0].Name != "ada" || list[0].URL != srv.URL+"/sandboxes/ada" {
		t.Errorf("sandboxes are %v, want 4", list)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 63)
	texts := []string{
		"ada", "Ada", "aDa", "TestShop/with_spaces", "TestShop/with-spaces", "TestShop/with spaces#01", "testshop/with spaces#01",
		"-", "--", "/", "ä", "...", "a.", "日本", long, long + "x", long + "y", "X" + long, "Default", " default",
	}
	srv := petstoretest.Run(t)
	seen := make(map[string]string)
	for _, text := range texts {
		pets := srv.Sandbox(text)
		name := pets.Name
		if pets.Title != text {
			t.Errorf("the title of %q is %q", text, pets.Title)
		}
		if other, ok := seen[name]; ok || !sandbox.ValidName(name) {
			t.Errorf("%q stands for %q, as does %q, or it is no name", text, name, other)
		}
		if sandbox.ValidName(text) && name != text {
			t.Errorf("%q stands for %q, want itself", text, name)
		}
		seen[name] = text
	}
	tooLong := strings.Repeat("x", 201)
	for _, pets := range []*petstoretest.Sandbox{srv.Sandbox(tooLong), srv.Fork(tooLong + "x")} {
		if len(pets.Title) != 200 || !strings.HasPrefix(pets.Title, tooLong[:187]+" ") || seen[pets.Name] != "" {
			t.Errorf("the name %s stands for %q and %q", pets.Name, pets.Title, seen[pets.Name])
		}
		seen[pets.Name] = pets.Title
	}
	// In every run and version: somebody may have written it down.
	if text := seen["testshop-with-spaces-01-0c28dad21b2a"]; text != "TestShop/with spaces#01" {
		t.Errorf("the name of TestShop/with spaces#01 is another: %v", seen)
	}
}

// TestSandboxGoesWithItsMaker wants a sandbox to live as long as the test that made
// it, not as one that found it.
func TestSandboxGoesWithItsMaker(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	t.Run("maker", func(t *testing.T) {
		pets := srv.For(t).Sandbox("ada")
		t.Run("guest", func(t *testing.T) {
			addPet(pets.Client, srv.For(t).Sandbox("ada").URL, "Rex")
			srv.For(t).Sandbox("ada").Fork("eve")
		})
		if n := len(srv.Sandboxes()); n != 2 {
			t.Errorf("%d sandboxes, want the default one and ada: eve goes with the guest", n)
		}
		if n := pets.State().Counts().Pets; n != 101 {
			t.Errorf("%d pets, want 101", n)
		}
		t.Run("dropped before", func(t *testing.T) {
			srv.For(t).Sandbox("bob").Drop()
			get[[]pet](t, srv, "/sandboxes/bob/pets") // somebody else's
		})
	})
	if list := srv.Sandboxes(); len(list) != 2 || list[0].Name != "bob" {
		t.Errorf("%d sandboxes, want the default one and bob of somebody else", len(list))
	}
}

func TestSandboxIsNeverIdle(t *testing.T) {
	t.Parallel()
	var minutes atomic.Int64
	srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) {
		c.MaxSandboxes, c.SandboxTTL = 2, time.Hour
		c.Now = func() time.Time { return newYear.Add(time.Duration(minutes.Load()) * time.Minute) }
	}))
	ada := srv.Sandbox("ada")
	addPet(ada.Client, ada.URL, "Rex")
	minutes.Store(120)
	for _, want := range []string{"503 Service Unavailable", "201 Created"} {
		if status := addPet(srv.Client, srv.URL+"/sandboxes/bob", "Rex"); status != want {
			t.Errorf("a second sandbox is answered %s, want %s", status, want)
		}
		if want != "201 Created" {
			ada.Drop()
		}
	}
	guest := newExampleT()
	srv.For(guest).Sandbox("bob")
	minutes.Store(240)
	mustEnd(t, func(fake *exampleT) { srv.For(fake).Sandbox("eve") }, "no room for another sandbox")
	guest.end() // nobody has made bob, and nobody holds it any more
	minutes.Store(299)
	mustEnd(t, func(fake *exampleT) { srv.For(fake).Sandbox("eve") }, "no room for another sandbox") // but it was used until now
	minutes.Store(300)
	srv.Sandbox("eve")
}

// TestWhatATestLooksAtMakesNoRoom on a full server, while it looks or after that.
func TestWhatATestLooksAtMakesNoRoom(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(srv *petstoretest.Server){
		"a sandbox":     func(srv *petstoretest.Server) { srv.Sandbox("ada") },
		"all sandboxes": func(srv *petstoretest.Server) { srv.Sandboxes() },
	} {
		var minutes atomic.Int64
		srv := petstoretest.Run(t, petstoretest.WithConfig(func(c *petstoretest.Config) {
			c.MaxSandboxes = 2
			c.Now = func() time.Time { return newYear.Add(time.Duration(minutes.Load()) * time.Minute) }
		}))
		get[[]pet](t, srv, "/sandboxes/ada/pets")
		guest := newExampleT()
		look(srv.For(guest))
		guest.end()
		minutes.Store(1)
		if status := addPet(srv.Client, srv.URL+"/sandboxes/bob", "Rex"); status != "503 Service Unavailable" {
			t.Errorf("after a look at %s another one is answered %s", name, status)
		}
	}
}

func BenchmarkSandbox(b *testing.B) {
	srv := petstoretest.Run(b)
	b.ReportAllocs()
	for b.Loop() {
		t := newExampleT()
		srv.For(t).Sandbox("TestShop/in a benchmark")
		t.end()
	}
}

func TestMethodsAfterClose(t *testing.T) {
	t.Parallel()
	srv := petstoretest.Run(t)
	addPet(srv.Client, srv.URL, "Rex")
	srv.Close()
	srv.Close()
	if came := srv.WaitForRequests(time.Hour, petstoretest.Filter{}, 1); len(came) != 1 || srv.State().Counts().Pets != 101 {
		t.Errorf("%d requests, %d pets", len(came), srv.State().Counts().Pets)
	}
	for e := range srv.Listen(petstoretest.FromNow).Events() {
		t.Errorf("event %v", e)
	}
}
