package registry

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
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

func TestConcurrentFirstUse(t *testing.T) {
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
			t.Fatalf("%d requests are open after all have ended", n)
		}
	}
}

// TestValidKey checks which texts are valid keys: tokens that a header can carry.
func TestValidKey(t *testing.T) {
	t.Parallel()
	for key, valid := range map[string]bool{"k": true, "!": true, "~": true, "a.b-c": true, "": false, " ": false,
		"two words": false, "schl\u00fcssel": false, "a\x7f": false, "a\n": false} {
		if ValidKey(key) != valid {
			t.Errorf("ValidKey(%q) = %t", key, !valid)
		}
	}
}

// TestKeyOfSeveralSandboxes checks that a key of several sandboxes is known until the last of them loses
// it.
func TestKeyOfSeveralSandboxes(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	shared := DigestOf("shared")
	for _, name := range []string{"ada", "bob"} {
		_, _, _, err := r.Make(name, CreateOptions{Key: new("shared")})
		must(err)
	}
	_, _, _, err := r.Make("ada", CreateOptions{Key: new("another")})
	must(err)
	if !r.KnowsKey(&shared) {
		t.Error("bob's key is not known any more")
	}
	must(r.Drop("bob"))
	if r.KnowsKey(&shared) {
		t.Error("the key of no sandbox is known")
	}
}
