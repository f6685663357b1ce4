package programtest

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// HAProxy is a running HAProxy that serves HTTPS and HTTP/2 on a Unix socket.
type HAProxy struct {
	Origin    string          // scheme://host
	Transport *http.Transport // connects to the socket and trusts the certificate

	t      testing.TB
	cmd    *exec.Cmd
	log    *Transcript
	config string // path of the configuration file
	bind   string // replaces haproxyBind
	itself string // replaces haproxyItself
}

// haproxyBind is the start of the bind line in the recipes.
const haproxyBind = "bind :443 ssl crt /etc/haproxy/play.example.pem "

// haproxyItself is the abstract socket through which HAProxy connects to itself in the recipes.
const haproxyItself = "abns@petstore"

// StartHAProxy starts HAProxy with a recipe from testdata/recipes/haproxy, adapted by [Replaced].
// It stops HAProxy at the end of the test.
func StartHAProxy(t testing.TB, recipe string, replace ...string) *HAProxy {
	t.Helper()
	RequireTool(t, "haproxy")
	dir := t.TempDir()
	cert, key, transport := newCertificate(t)
	socket := filepath.Join(dir, "socket")
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	h := &HAProxy{
		Origin: "https://127.0.0.1", Transport: transport, t: t, log: NewTranscript(),
		config: filepath.Join(dir, "haproxy.cfg"),
		bind:   "bind unix@" + socket + " ssl crt " + filepath.Join(dir, "cert.pem") + " ",
		itself: "abns@" + rand.Text(),
	}
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "cert.pem"), []byte(cert+key), 0o600))
	h.write(recipe, replace)
	h.cmd = exec.Command("haproxy", "-W", "-f", h.config)
	h.cmd.Stderr = h.log
	must.Succeed(t, h.cmd.Start())
	t.Cleanup(h.stop)
	if h.log.Line("Loading success") == "" {
		t.Fatalf("haproxy does not start:\n%s", h.log)
	}
	return h
}

// Reload makes HAProxy load another recipe. Running requests finish.
func (h *HAProxy) Reload(recipe string, replace ...string) {
	h.t.Helper()
	h.write(recipe, replace)
	// Use kill(1), because package syscall has no SIGUSR2 on Windows.
	if output, err := exec.Command("kill", "-USR2", strconv.Itoa(h.cmd.Process.Pid)).CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %s", err, output)
	}
}

func (h *HAProxy) write(recipe string, replace []string) {
	h.t.Helper()
	text := Replaced(h.t, recipe, append([]string{haproxyBind, h.bind, haproxyItself, h.itself}, replace...)...)
	must.Succeed(h.t, os.WriteFile(h.config, []byte(text), 0o600))
}

func (h *HAProxy) stop() {
	_ = h.cmd.Process.Signal(syscall.SIGTERM) // also ends the workers
	_ = h.cmd.Wait()                          // fails: the exit code is that of a worker ended by a signal
	if h.t.Failed() {
		h.t.Logf("haproxy said:\n%s", h.log)
	}
}

// Replaced returns the recipe with its old strings replaced by new ones. replace is a list of old,
// new pairs. Replaced fails the test if an old string is not in the recipe.
func Replaced(t testing.TB, recipe string, replace ...string) string {
	t.Helper()
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(recipe, replace[i]) {
			t.Fatalf("the recipe has no %q:\n%s", replace[i], recipe)
		}
		recipe = strings.ReplaceAll(recipe, replace[i], replace[i+1])
	}
	return recipe
}
