package registry

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// TestNamesDoNotKeepRequestsAlive checks that a name is a copy: a header's value shares the memory
// of the whole request.
func TestNamesDoNotKeepRequestsAlive(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	request := strings.Repeat("x", 4) + "ada" + strings.Repeat("x", 4)
	sb := visit(t, r, request[4:7])
	for name := range r.sandboxes {
		if name == "ada" && !sameMemory(name, sb.Name) {
			t.Error("key and name of the sandbox are two copies")
		}
	}
	if sb.Name != "ada" || sameMemory(sb.Name, request[4:7]) {
		t.Error("the name is a part of the request's memory")
	}
}

// TestAcquireLeavesNothingBehind checks that only an admitted request creates a sandbox.
func TestAcquireLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 2, time.Hour)
	ada := sandbox.Name{Canonical: "ada", Title: "ada"}
	for range 5 {
		sb := r.Acquire(ada)
		if sb.Registered() {
			t.Error("it is registered")
		}
		sb.Release()
	}
	wantNames(t, r, "default")
	first := r.Acquire(ada)
	visit(t, r, "bob") // takes the last place meanwhile
	_, err := r.Register(first)
	wantErr(t, "Register beyond the limit", err, ErrLimit)
	wantNames(t, r, "bob", "default")
}

func TestConcurrentFirstUsesMakeOneSandbox(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 1000, time.Hour)
	const rounds, visitors = 100, 8
	for round := range rounds {
		var met [visitors]*Entry
		var running sync.WaitGroup
		begin := make(chan struct{})
		for i := range visitors {
			running.Go(func() {
				<-begin
				sb, err := enter(r, fmt.Sprint("sandbox-", round))
				if err != nil {
					t.Error(err)
					return
				}
				met[i] = sb
				sweep(r) // keeps sb, which is in use
				m.pass(time.Hour)
				leave(sb)
			})
		}
		close(begin)
		running.Wait()
		for _, sb := range met {
			if sb != met[0] {
				t.Fatal("two first visits made two sandboxes")
			}
		}
		if n := met[0].holders.Load(); n != 0 {
			t.Fatalf("%d requests go on, though all have ended", n)
		}
	}
}

func TestRefusedNamesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	_, _, err := r.Make("*", CreateOptions{})
	wantErr(t, "Make", err, sandbox.ErrBadName)
	_, _, err = r.Hold("\x00")
	wantErr(t, "Hold", err, sandbox.ErrBadName)
	_, err = r.Fork(sandbox.Default, "", nil)
	wantErr(t, "Fork", err, sandbox.ErrBadName)
	_, err = r.Fork("*", "ada", nil)
	wantErr(t, "Fork from what is no name", err, sandbox.ErrBadName)
	wantErr(t, "Drop", r.Drop("*"), sandbox.ErrBadName)
	_, err = r.Find("*")
	wantErr(t, "Find", err, sandbox.ErrBadName)
	wantNames(t, r, "default")
}

// TestValidKey checks which texts are valid keys: tokens that a header can carry.
func TestValidKey(t *testing.T) {
	t.Parallel()
	for key, valid := range map[string]bool{"k": true, "!": true, "~": true, "a.b-c": true, "": false, " ": false, "two words": false, "schl\u00fcssel": false, "a\x7f": false, "a\n": false} {
		if ValidKey(key) != valid {
			t.Errorf("ValidKey(%q) = %t", key, !valid)
		}
	}
}

// TestOneKeyOfMany checks that a key of several sandboxes is known until the last of them loses
// it.
func TestOneKeyOfMany(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	shared := DigestOf("shared")
	for _, name := range []string{"ada", "bob"} {
		_, _, _, err := r.MakeOwned(name, CreateOptions{}, Ownership{Key: new("shared")})
		must(err)
	}
	must(r.Drop("ada"))
	if !r.KnowsKey(&shared) {
		t.Error("bob's key is not known any more")
	}
	must(r.Drop("bob"))
	if r.KnowsKey(&shared) {
		t.Error("the key of no sandbox is known")
	}
}
