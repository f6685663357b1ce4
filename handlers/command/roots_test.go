package command

import (
	"crypto/x509"
	"testing"

	"golang.org/x/crypto/x509roots/fallback/bundle"

	"example.com/petstore/handlers/internal/must"
)

// TestRootsOfMachineWithoutAny checks that a machine without root certificates trusts every
// issuer of Mozilla's list, and that a machine's own root certificates take precedence.
func TestRootsOfMachineWithoutAny(t *testing.T) {
	t.Parallel()
	roots := rootsOr(x509.NewCertPool())
	if roots == nil {
		t.Fatal("no root certificates")
	}
	known := 0
	for root := range bundle.Roots() {
		certificate := must.Get(x509.ParseCertificate(root.Certificate))(t)
		if _, err := certificate.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: certificate.NotBefore,
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}); err != nil {
			t.Errorf("%s: %v", certificate.Subject, err)
		}
		if own := x509.NewCertPool(); known == 0 {
			if own.AddCert(certificate); rootsOr(own) != nil {
				t.Error("the machine's own are not taken")
			}
		}
		known++
	}
	if known < 100 {
		t.Errorf("%d issuers are known", known)
	}
}
