package command

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/internal/must"
)

// certificate writes a certificate for 127.0.0.1 and its key to two files, and returns a pool that
// trusts the certificate.
func certificate(t *testing.T) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	pair, authority, err := makeCertificate([]string{"127.0.0.1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	key := must.Get(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))(t)
	write := func(kind string, der []byte) string {
		return fileOf(t, string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	return write("CERTIFICATE", pair.Certificate[0]), write("PRIVATE KEY", key), pool
}

// fetchCA returns the body of /admin/ca.pem, without verifying the server's certificate.
func fetchCA(t *testing.T, base string) string {
	t.Helper()
	trusting := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is the first request
	got, err := programtest.Request(t.Context(), trusting, http.MethodGet, base+"/admin/ca.pem", nil)
	if err != nil || got.Status != http.StatusOK ||
		got.Header.Get("Content-Type") != "application/pem-certificate-chain" {
		t.Fatalf("GET /admin/ca.pem: %+v, %v", got, err)
	}
	return got.Body
}

// TestGeneratedCertificate connects to each name of the server, trusting only its CA. The CA of another
// server must not verify this one.
func TestGeneratedCertificate(t *testing.T) {
	t.Parallel()
	start := func() (base string) {
		return startRun(t, nil, "--addr", "127.0.0.1:0", "--tls", "--allowed-host", "shop.example", "--allowed-host",
			"192.0.2.7", "--admin-key", "secret").URL
	}
	base, other := start(), fetchCA(t, start())
	ours := fetchCA(t, base) // requires no key
	host := must.Get(os.Hostname())(t)
	get := func(name, trusted string) (answer programtest.Answer, err error) {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM([]byte(trusted))
		return programtest.Request(t.Context(), &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(base, "https://"))
			},
		}, http.MethodGet, "https://"+name+"/openapi.json", nil)
	}
	for _, name := range []string{"localhost", "127.0.0.1", "[::1]", host, "shop.example", "192.0.2.7"} {
		got, err := get(name, ours)
		if err != nil || got.Status != http.StatusOK || !strings.Contains(got.Body, "https://"+name) {
			t.Errorf("%s: %d, %v", name, got.Status, err)
		}
		if _, err := get(name, other); err == nil || !strings.Contains(err.Error(), "unknown authority") {
			t.Errorf("%s by the certificate of another server: %v", name, err)
		}
	}
	if _, err := get("other.example", ours); err == nil || !strings.Contains(err.Error(), "not other.example") {
		t.Errorf("by a name that is not the server's: %v", err)
	}
}

// TestClientsTrustGeneratedCertificate verifies the certificate with programs in other languages, in
// Python with the strictest checks.
func TestClientsTrustGeneratedCertificate(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls")
	file := fileOf(t, fetchCA(t, p.URL))
	for tool, args := range map[string][]string{
		"curl": {"--silent", "--fail", "--cacert", file, p.URL + "/healthz"},
		"node": {"-e", `fetch(process.argv[1] + '/healthz').then(async (answer) => console.log(await answer.text()))`,
			p.URL},
		"python3": {"-c",
			"import ssl, sys, urllib.request as u\ncontext = ssl.create_default_context(cafile=sys.argv[2])\n" +
				"context.verify_flags |= getattr(ssl, 'VERIFY_X509_STRICT', 0)\nprint(u.urlopen(sys.argv[1] + " +
				"'/healthz', context=context).read().decode())", p.URL, file},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			programtest.RequireTool(t, tool)
			cmd := exec.CommandContext(t.Context(), tool, args...)
			cmd.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+file)
			output, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(output), `"status":"ok"`) {
				t.Errorf("%v: %s", err, output)
			}
		})
	}
}

// TestNamesInGeneratedCertificate checks that the certificate omits names that are not valid in certificates, and that
// Apple's systems accept its lifetime.
func TestNamesInGeneratedCertificate(t *testing.T) {
	t.Parallel()
	pair, _, err := makeCertificate([]string{"localhost", "", "bücher.example", "two words", "::1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	leaf := must.Get(x509.ParseCertificate(pair.Certificate[0]))(t)
	if diff := cmp.Diff([]string{"localhost"}, leaf.DNSNames); diff != "" || len(leaf.IPAddresses) != 1 {
		t.Errorf("%v, -want +got:\n%s", leaf.IPAddresses, diff)
	}
	if lifetime := leaf.NotAfter.Sub(leaf.NotBefore); lifetime >= 825*24*time.Hour {
		t.Errorf("valid for %v", lifetime)
	}
}

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
		t.Fatal("the new certificate is served before it exists")
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
		pair := must.Get(tls.LoadX509KeyPair(cert, key))(t)
		dirs, made = append(dirs, dir), append(made, pair.Leaf)
	}
	broken := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(broken, "tls.crt"), []byte("nonsense"), 0o600))
	copyFile(t, filepath.Join(dirs[0], "tls.key"), filepath.Join(broken, "tls.key"))

	mount := t.TempDir() // Kubernetes mounts a secret like this, and replaces a link to a directory
	file := func(name string) string { return filepath.Join(mount, "data", name) }
	swap := func(dir string) {
		t.Helper()
		next := filepath.Join(mount, "next")
		must.Succeed(t, os.Symlink(dir, next))
		must.Succeed(t, os.Rename(next, filepath.Join(mount, "data")))
	}
	swap(dirs[0])
	synctest.Test(t, func(t *testing.T) {
		o := options{Program: config.Program{TLSCert: file("tls.crt"), TLSKey: file("tls.key")}}
		must.Succeed(t, o.loadCertificate())
		var log bytes.Buffer // written only while the test sleeps
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
			{"the key of another certificate",
				func() {
					copyFile(t, filepath.Join(dirs[2], "tls.crt"), filepath.Join(broken, "tls.crt"))
					swap(broken)
				}, 1, "private key does not match"},
			{"its own key", func() { copyFile(t, filepath.Join(dirs[2], "tls.key"), filepath.Join(broken, "tls.key")) },
				2, "level=INFO"},
			{"the old certificate", func() { swap(dirs[0]) }, 0, "level=INFO"},
		} {
			log.Reset()
			step.change()
			time.Sleep(reloadTime)
			synctest.Wait()
			current, err := o.tls.GetCertificate(nil)
			if err != nil || !current.Leaf.Equal(made[step.want]) {
				t.Errorf("%s: the certificate is not the one of place %d (%v)", step.name, step.want, err)
			}
			logged := log.String()
			lines := programtest.Lines(logged)
			if len(lines) != min(1, len(step.logged)) || !strings.Contains(logged, step.logged) {
				t.Errorf("%s: logged\n%s\nwant one line with %q, or none for an empty text", step.name, logged,
					step.logged)
			}
		}
	})
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
