//go:build linux

package command

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// TestReceiversWithCertificates delivers to an HTTPS receiver at an address that is not loopback,
// on systems that respect SSL_CERT_FILE. The delivery must succeed only if that file has the
// issuer, and fail on a machine without root certificates, as in the image.
func TestReceiversWithCertificates(t *testing.T) {
	t.Parallel()
	// The unspecified address reaches this machine but is not loopback.
	const everywhere = "0.0.0.0"
	pair, authority, err := makeCertificate([]string{everywhere}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	receiver.Config.ErrorLog = log.New(io.Discard, "", 0)
	receiver.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	_, port, _ := net.SplitHostPort(receiver.Listener.Addr().String())

	empty := t.TempDir()
	for name, test := range map[string]struct {
		file   string
		status int
	}{
		"an issuer that is known": {fileOf(t, string(authority)), http.StatusNoContent},
		"no issuers":              {filepath.Join(empty, "none.pem"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := programtest.Start(t, programtest.Petstore, func(cmd *exec.Cmd) {
				cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+test.file, "SSL_CERT_DIR="+empty)
			}, "--addr", "127.0.0.1:0", "--webhook-host", everywhere)
			change(t, http.MethodPut, p.URL+"/admin/webhooks/far",
				fmt.Sprintf(`{"url": "https://%s:%s/hook"}`, everywhere, port))
			change(t, http.MethodDelete, p.URL+"/pets/7", "")
			try := firstTry(t, p, "far")
			if try.Status != test.status || (test.status == 0) != strings.Contains(try.Error, "unknown authority") {
				t.Errorf("%+v, want the status %d", try, test.status)
			}
		})
	}
}
