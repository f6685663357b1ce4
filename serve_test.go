package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// certificate writes a certificate for 127.0.0.1 and its key to two files, and
// returns a pool that trusts it.
func certificate(t *testing.T) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool = x509.NewCertPool()
	pool.AddCert(parsed)
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", keyDER), pool
}

func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key, pool := certificate(t)
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key)
	if !strings.HasPrefix(p.url, "https://127.0.0.1:") {
		t.Errorf("it listens on %s, want https://127.0.0.1:PORT", p.url)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	got, err := request(t.Context(), transport, http.MethodGet, p.url+"/openapi.json")
	if err != nil || got.status != http.StatusOK {
		t.Fatalf("GET /openapi.json: %d, %v", got.status, err)
	}
	if !strings.Contains(got.body, p.url) {
		t.Errorf("the document does not name the server %s", p.url)
	}
}

func TestAdminKeyBeyondLoopback(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"info", "error"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			p := startRun(t, nil, "--addr", "0.0.0.0:0", "--log-level", level)
			if !strings.HasPrefix(p.url, "http://127.0.0.1:") {
				t.Errorf("it listens on %s, want an address to open", p.url)
			}
			if got := get(t, p.url+"/admin"); got.status != http.StatusUnauthorized {
				t.Errorf("GET /admin without a key: %d, want 401", got.status)
			}
			keys := regexp.MustCompile(`\bkey=(\w{20,})`).FindAllStringSubmatch(p.stderr.String(), -1)
			if len(keys) != 1 {
				t.Fatalf("%d keys on standard error, want 1:\n%s", len(keys), p.stderr)
			}
			if got := get(t, p.url+"/admin", "Authorization", "Bearer "+keys[0][1]); got.status != http.StatusOK {
				t.Errorf("GET /admin with the key: %d, want 200", got.status)
			}
			if got := get(t, p.url+"/pets"); got.status != http.StatusOK {
				t.Errorf("GET /pets: %d, want 200, since the key is the control plane's", got.status)
			}
			if n := strings.Count(p.stderr.String()+p.stdout.String(), keys[0][1]); n != 1 {
				t.Errorf("the key is written %d times, want once", n)
			}
		})
	}
}

func TestChosenAdminKeyIsNotPrinted(t *testing.T) {
	t.Parallel()
	p := startRun(t, []string{"PETSTORE_ADMIN_KEY=chosen-by-me"}, "--addr", "0.0.0.0:0", "--log-level", "debug")
	if got := get(t, p.url+"/admin", "Authorization", "Bearer chosen-by-me"); got.status != http.StatusOK {
		t.Errorf("GET /admin with the chosen key: %d, want 200", got.status)
	}
	p.stderr.line("operation=getAdmin")
	if log := p.stderr.String(); strings.Contains(log, "chosen-by-me") || strings.Contains(log, "key=") {
		t.Errorf("standard error has a key:\n%s", log)
	}
}

func TestOpenOnLoopback(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	if got := get(t, p.url+"/admin"); got.status != http.StatusOK {
		t.Errorf("GET /admin: %d, want 200", got.status)
	}
	if log := p.stderr.String(); log != "" {
		t.Errorf("standard error is %q, want nothing", log)
	}
}

func TestLogFormatAndLevel(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0", "--log-format", "json", "--log-level", "debug")
	get(t, p.url+"/pets?limit=1", "X-Request-Id", "abc", "X-Sandbox", "ada", "X-Client", "web")
	p.stderr.line(`"operation":"listPets"`)
	all := lines(p.stderr.String())
	if len(all) != 1 {
		t.Fatalf("%d lines for one request, want 1:\n%s", len(all), p.stderr)
	}
	type fields struct {
		Level, Msg, ID, Sandbox, Client, Method, Path, Operation string
		Status                                                   int
	}
	var entry struct {
		fields
		DurationMs float64
	}
	if err := json.Unmarshal([]byte(all[0]), &entry); err != nil {
		t.Fatalf("%v in %s", err, all[0])
	}
	want := fields{"DEBUG", "request", "abc", "ada", "web", "GET", "/pets", "listPets", 200}
	if entry.fields != want {
		t.Errorf("logged %+v, want %+v", entry.fields, want)
	}
	if entry.DurationMs <= 0 || entry.DurationMs > float64(patience.Milliseconds()) {
		t.Errorf("logged a duration of %v ms", entry.DurationMs)
	}
}

func TestFirstUseOfDeprecatedOperationIsLogged(t *testing.T) {
	t.Parallel()
	p := startRun(t, nil, "--addr", "127.0.0.1:0")
	for _, agent := range []string{"one", "one", "two", "one"} {
		get(t, p.url+"/pets/7", "User-Agent", agent)
	}
	get(t, p.url+"/pets?id=7", "User-Agent", "three")
	p.stop() // writes what is logged
	all := lines(p.stderr.String())
	if len(all) == 0 || !strings.Contains(all[len(all)-1], "stopping") {
		t.Fatalf("the log ends in\n%s", p.stderr)
	}
	if all = all[:len(all)-1]; len(all) != 2 {
		t.Fatalf("%d lines, want one for each of the two callers:\n%s", len(all), p.stderr)
	}
	for i, agent := range []string{"one", "two"} {
		for _, want := range []string{"level=WARN", "caller=" + agent, "getPet is deprecated since 2026-01-01", "2030-12-31"} {
			if !strings.Contains(all[i], want) {
				t.Errorf("line %d is %q, want %q in it", i, all[i], want)
			}
		}
	}
}

// TestProgressIsForTerminals seeds nothing: it says how far it is, until the
// second has passed after which a bar appears.
func TestProgressIsForTerminals(t *testing.T) {
	t.Parallel()
	o := options{}
	o.flags()
	if show, _ := o.progress(newTranscript(), io.Discard); show != nil {
		t.Error("there is a bar on what is no terminal")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if show, _ := o.progress(file, file); show != nil {
		t.Error("there is a bar in a file")
	}
	terminal, screen := openTerminal(t)
	show, done := o.progress(terminal, terminal)
	if show == nil {
		t.Fatal("there is no bar on a terminal")
	}
	began := time.Now()
	for made := 0; screen.String() == ""; made = (made + 1) % 100 {
		if time.Since(began) > patience {
			t.Fatal("the bar does not appear")
		}
		show(made)
	}
	if took := time.Since(began); took < progressAfter {
		t.Errorf("the bar appears after %v, want %v", took, progressAfter)
	}
	done()
	terminal.Close()
	if screen.line("\r"); !strings.Contains(screen.String(), "seeding") {
		t.Errorf("the screen has shown %q, want seeding in it", screen)
	}
}

// openTerminal returns a terminal and what has been shown on it.
func openTerminal(t *testing.T) (terminal *os.File, screen *transcript) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	screen = newTranscript()
	go func() {
		defer screen.end()
		buffer := make([]byte, 1024)
		for {
			n, err := master.Read(buffer)
			if err != nil {
				return // the terminal is closed
			}
			_, _ = screen.Write(buffer[:n])
		}
	}()
	return terminal, screen
}
