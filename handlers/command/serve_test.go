package command

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

func TestAdminKeyBeyondLoopback(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"info", "error"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			p := startRun(t, nil, "--addr", "0.0.0.0:0", "--log-level", level)
			if !strings.HasPrefix(p.URL, "http://127.0.0.1:") {
				t.Errorf("it listens on %s, want an address to open", p.URL)
			}
			if logged := strings.Contains(p.Stderr.String(), " addr=0.0.0.0:"); logged != (level == "info") {
				t.Errorf("the address is logged: %t; want IPv4 addresses only:\n%s", logged, p.Stderr)
			}
			expectGeneratedKey(t, p)
			if got := programtest.Get(t, p.URL+"/pets"); got.Status != http.StatusOK {
				t.Errorf("GET /pets: %d, want 200, since the key is the control plane's", got.Status)
			}
		})
	}
}

// TestAdminKeyBehindAProxy checks that a server with a public URL requires an admin key and logs
// public addresses, even if it listens only on loopback, where the proxy connects.
func TestAdminKeyBehindAProxy(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--public-url", "https://shop.example/petstore/", "--workshop")
	expectGeneratedKey(t, p)
	const addresses = "msg=addresses dashboard=https://shop.example/petstore/ docs=https://shop.example/petstore/docs/ " +
		"join=https://shop.example/petstore/join workshop=https://shop.example/petstore/workshop\n"
	if !strings.Contains(p.Stderr.String(), addresses) {
		t.Errorf("standard error is\n%swant %s", p.Stderr, addresses)
	}
}

// expectGeneratedKey checks that the control plane requires a key, which is written once.
func expectGeneratedKey(t *testing.T, p *inProcess) {
	t.Helper()
	keys := regexp.MustCompile(`\bkey=(\w{20,})`).FindAllStringSubmatch(p.Stderr.String(), -1)
	if len(keys) != 1 {
		t.Fatalf("%d keys on standard error, want 1:\n%s", len(keys), p.Stderr)
	}
	if got := programtest.Get(t, p.URL+"/admin"); got.Status != http.StatusUnauthorized {
		t.Errorf("GET /admin without a key: %d, want 401", got.Status)
	}
	if got := programtest.Get(t, p.URL+"/admin", "Authorization", "Bearer "+keys[0][1]); got.Status != http.StatusOK {
		t.Errorf("GET /admin with the key: %d, want 200", got.Status)
	}
	if n := strings.Count(p.Stderr.String()+p.Stdout.String(), keys[0][1]); n != 1 {
		t.Errorf("the key is written %d times, want once", n)
	}
}

func TestChosenAdminKeyIsNotPrinted(t *testing.T) {
	t.Parallel()
	p := startRun(t, []string{"PETSTORE_ADMIN_KEY=chosen-by-me"}, "--addr", "0.0.0.0:0", "--log-level", "debug")
	if got := programtest.Get(t, p.URL+"/admin", "Authorization", "Bearer chosen-by-me"); got.Status != http.StatusOK {
		t.Errorf("GET /admin with the chosen key: %d, want 200", got.Status)
	}
	p.Stderr.Line("operation=getAdmin")
	if log := p.Stderr.String(); strings.Contains(log, "chosen-by-me") || strings.Contains(log, "key=") {
		t.Errorf("standard error has a key:\n%s", log)
	}
}
