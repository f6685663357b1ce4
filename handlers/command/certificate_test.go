package command

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
)

// fetchCA returns the body of /admin/ca.pem, without verifying the server's certificate.
func fetchCA(t *testing.T, base string) string {
	t.Helper()
	trusting := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is the first request
	got, err := programtest.Request(t.Context(), trusting, http.MethodGet, base+"/admin/ca.pem")
	if err != nil || got.Status != http.StatusOK || got.Header.Get("Content-Type") != "application/pem-certificate-chain" {
		t.Fatalf("GET /admin/ca.pem: %+v, %v", got, err)
	}
	return got.Body
}

func fileOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestMadeCertificate connects to each name of the server, trusting only its CA. The CA of another
// server must not verify this one.
func TestMadeCertificate(t *testing.T) {
	t.Parallel()
	start := func() (base string) {
		return startRun(t, nil, "--addr", "127.0.0.1:0", "--tls", "--allowed-host", "shop.example", "--allowed-host", "192.0.2.7", "--admin-key", "secret").URL
	}
	base, other := start(), fetchCA(t, start())
	ours := fetchCA(t, base) // requires no key
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	get := func(name, trusted string) (answer programtest.Answer, err error) {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM([]byte(trusted))
		return programtest.Request(t.Context(), &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(base, "https://"))
			},
		}, http.MethodGet, "https://"+name+"/openapi.json")
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

// TestNoMadeCertificate requests the CA of a server that has not generated a certificate.
func TestNoMadeCertificate(t *testing.T) {
	t.Parallel()
	if got := programtest.Get(t, startRun(t, nil, "--addr", "127.0.0.1:0").URL+"/admin/ca.pem"); got.Status != http.StatusNotFound || !strings.Contains(got.Body, "--tls") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// TestWaitReadyTrustsTheFetchedCertificate waits for a server at an address that is not loopback,
// trusting its fetched CA.
func TestWaitReadyTrustsTheFetchedCertificate(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls", "--allowed-host", "shop.example")
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, strings.TrimPrefix(p.URL, "https://"))
	}
	file := fileOf(t, fetchCA(t, p.URL))
	for cert, trusted := range map[string]bool{file: true, "": false} {
		client, err := readyClient(cert, dial)
		if err != nil {
			t.Fatal(err)
		}
		if err := pollHealth(t.Context(), client, "https://shop.example"); (err == nil) != trusted {
			t.Errorf("with the file %q: %v", cert, err)
		}
	}
	if got := runToEnd(t, []string{"PETSTORE_TLS=true"}, "--wait-ready", p.URL, "--tls-cert", file); got != (programtest.Result{}) {
		t.Errorf("--wait-ready: %+v", got)
	}
}

// TestClientsTrustTheMadeCertificate verifies the certificate with programs in other languages, in
// Python with the strictest checks.
func TestClientsTrustTheMadeCertificate(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls")
	file := fileOf(t, fetchCA(t, p.URL))
	for tool, args := range map[string][]string{
		"curl": {"--silent", "--fail", "--cacert", file, p.URL + "/healthz"},
		"node": {"-e", `fetch(process.argv[1] + '/healthz').then(async (answer) => console.log(await answer.text()))`, p.URL},
		"python3": {"-c", "import ssl, sys, urllib.request as u\ncontext = ssl.create_default_context(cafile=sys.argv[2])\n" +
			"context.verify_flags |= getattr(ssl, 'VERIFY_X509_STRICT', 0)\nprint(u.urlopen(sys.argv[1] + '/healthz', context=context).read().decode())", p.URL, file},
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

// TestMadeCertificateLeavesNamesOut checks that the certificate omits names that are not valid in
// certificates.
func TestMadeCertificateLeavesNamesOut(t *testing.T) {
	t.Parallel()
	pair, _, err := makeCertificate([]string{"localhost", "", "bücher.example", "two words", "::1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"localhost"}, leaf.DNSNames); diff != "" || len(leaf.IPAddresses) != 1 {
		t.Errorf("%v, -want +got:\n%s", leaf.IPAddresses, diff)
	}
}
