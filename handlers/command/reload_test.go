package command

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/config"
)

// reloadTime is the time that README.md promises.
const reloadTime = 10 * time.Second

// TestCertificateIsReloaded replaces the certificate of a running server and checks that clients
// get the new one.
func TestCertificateIsReloaded(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t)
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	handshake := func(pool *x509.CertPool) error {
		c, err := tls.Dial("tcp", strings.TrimPrefix(p.URL, "https://"), &tls.Config{RootCAs: pool})
		if err == nil {
			c.Close()
		}
		return err
	}
	newCert, newKey, newPool := certificate(t)
	if err := handshake(newPool); err == nil {
		t.Fatal("the new certificate is served before there is one")
	}
	copyFile(t, newCert, cert)
	copyFile(t, newKey, key)
	p.Stderr.Line("certificate reloaded")
	if err := handshake(newPool); err != nil {
		t.Errorf("after the change: %v", err)
	}
	if err := handshake(pool); err == nil {
		t.Error("the old certificate is served after the change")
	}
}

// TestChangesOfACertificate changes the certificate's files step by step. It checks which
// certificate is in use, by index, and that each change is logged once.
func TestChangesOfACertificate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a right of their own there")
	}
	var dirs []string // each with tls.crt and tls.key
	var made []*x509.Certificate
	for range 3 {
		cert, key, _ := certificate(t)
		dir := t.TempDir()
		copyFile(t, cert, filepath.Join(dir, "tls.crt"))
		copyFile(t, key, filepath.Join(dir, "tls.key"))
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			t.Fatal(err)
		}
		dirs, made = append(dirs, dir), append(made, pair.Leaf)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "tls.crt"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(dirs[0], "tls.key"), filepath.Join(broken, "tls.key"))

	mount := t.TempDir() // Kubernetes mounts a secret like this, and replaces a link to a directory
	file := func(name string) string { return filepath.Join(mount, "data", name) }
	swap := func(dir string) {
		t.Helper()
		next := filepath.Join(mount, "next")
		if err := os.Symlink(dir, next); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, filepath.Join(mount, "data")); err != nil {
			t.Fatal(err)
		}
	}
	swap(dirs[0])
	synctest.Test(t, func(t *testing.T) {
		o := options{Program: config.Program{TLSCert: file("tls.crt"), TLSKey: file("tls.key")}}
		if err := o.loadCertificate(); err != nil {
			t.Fatal(err)
		}
		var log lockedBuffer
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go o.certificate.watch(ctx, slog.New(slog.NewTextHandler(&log, nil)))
		for _, step := range []struct {
			name   string
			change func()
			want   int    // index of the certificate
			logged string // expected log text, or empty for none
		}{
			{"nothing", func() {}, 0, ""},
			{"another directory", func() { swap(dirs[1]) }, 1, "level=INFO"},
			{"a broken file", func() { swap(broken) }, 1, "failed to find any PEM data"},
			{"a broken file, still", func() {}, 1, ""},
			{"no file", func() { swap(filepath.Join(mount, "none")) }, 1, "cannot be used; the old one stays in use"},
			{"the key of another certificate", func() { copyFile(t, filepath.Join(dirs[2], "tls.crt"), filepath.Join(broken, "tls.crt")); swap(broken) }, 1, "private key does not match"},
			{"its own key", func() { copyFile(t, filepath.Join(dirs[2], "tls.key"), filepath.Join(broken, "tls.key")) }, 2, "level=INFO"},
			{"the old one again", func() { swap(dirs[0]) }, 0, "level=INFO"},
		} {
			log.take()
			step.change()
			time.Sleep(reloadTime)
			synctest.Wait()
			current, err := o.tls.GetCertificate(nil)
			if err != nil || !current.Leaf.Equal(made[step.want]) {
				t.Errorf("%s: the certificate is not the one of place %d (%v)", step.name, step.want, err)
			}
			logged := log.take()
			lines := programtest.Lines(logged)
			if len(lines) != min(1, len(step.logged)) || !strings.Contains(logged, step.logged) {
				t.Errorf("%s: logged\n%s\nwant one line with %q, or none for an empty text", step.name, logged, step.logged)
			}
		}
	})
}

// lockedBuffer is a buffer that is safe for concurrent use.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// take returns the text written since the last call.
func (b *lockedBuffer) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.text.Reset()
	return b.text.String()
}

// copyFile copies the contents of a file to another.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
