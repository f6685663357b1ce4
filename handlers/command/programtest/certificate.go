package programtest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/petstore/handlers/internal/must"
)

// newCertificate returns the certificate of net/http/httptest, which is valid for 127.0.0.1, and
// its key, both in PEM. It also returns an HTTP/2 transport that trusts the certificate.
func newCertificate(t testing.TB) (cert, key string, transport *http.Transport) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	der := must.Get(x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey))(t)
	return pemOf("CERTIFICATE", server.Certificate().Raw), pemOf("PRIVATE KEY", der), transport
}

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
