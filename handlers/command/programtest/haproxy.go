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
)

// HAProxy is a proxy that serves HTTPS and HTTP/2 at a Unix socket.
type HAProxy struct {
	Origin    string          // scheme://host
	Transport *http.Transport // connects to the socket and trusts the certificate

	t      testing.TB
	cmd    *exec.Cmd
	log    *Transcript
	config string // file
	bind   string // replaces haproxyBind
	itself string // replaces haproxyItself
}

// haproxyBind is the recipe's bind line.
const haproxyBind = "bind :443 ssl crt /etc/haproxy/play.example.pem "

// haproxyItself is the recipe's abstract socket, over which HAProxy connects to itself.
const haproxyItself = "abns@petstore"

// StartHAProxy starts HAProxy with a recipe of testdata/recipes/haproxy, in which replacements,
// pairs of old and new text, adapt it to the test. HAProxy ends with the test.
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
		config: filepath.Join(dir, "haproxy.cfg"), bind: "bind unix@" + socket + " ssl crt " + filepath.Join(dir, "cert.pem") + " ",
		itself: "abns@" + rand.Text(),
	}
	if err := os.WriteFile(filepath.Join(dir, "cert.pem"), []byte(cert+key), 0o600); err != nil {
		t.Fatal(err)
	}
	h.write(recipe, replace)
	h.cmd = exec.Command("haproxy", "-W", "-f", h.config)
	h.cmd.Stderr = h.log
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.stop)
	if h.log.Line("Loading success") == "" {
		t.Fatalf("haproxy does not start:\n%s", h.log)
	}
	return h
}

// Reload loads another configuration. Requests in progress are finished.
func (h *HAProxy) Reload(recipe string, replace ...string) {
	h.t.Helper()
	h.write(recipe, replace)
	// Package syscall has no such signal on Windows.
	if output, err := exec.Command("kill", "-USR2", strconv.Itoa(h.cmd.Process.Pid)).CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %s", err, output)
	}
}

func (h *HAProxy) write(recipe string, replace []string) {
	h.t.Helper()
	text := Replaced(h.t, recipe, append([]string{haproxyBind, h.bind, haproxyItself, h.itself}, replace...)...)
	if err := os.WriteFile(h.config, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

func (h *HAProxy) stop() {
	_ = h.cmd.Process.Signal(syscall.SIGTERM) // ends its workers too
	_ = h.cmd.Wait()                          // the exit code is that of a worker ended by a signal
	if h.t.Failed() {
		h.t.Logf("haproxy said:\n%s", h.log)
	}
}

// Replaced returns a recipe with replacements, pairs of old and new text. Every old text must be in
// the recipe.
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
