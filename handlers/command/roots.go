package command

import (
	"crypto/x509"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// systemRoots returns the root certificates for the receivers of webhooks. Nil means those of the
// machine, or those that SSL_CERT_FILE names.
func systemRoots() *x509.CertPool {
	system, err := x509.SystemCertPool()
	if err != nil {
		return nil // every connection will report the error
	}
	return rootsOr(system)
}

// rootsOr returns nil, for the machine's roots, or Mozilla's list as built into this program if the
// machine has none, as in a container image with only this program.
func rootsOr(system *x509.CertPool) *x509.CertPool {
	if !system.Equal(x509.NewCertPool()) {
		return nil
	}
	roots := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			continue // of a kind unknown to this version of Go
		}
		if root.Constraint == nil {
			roots.AddCert(certificate)
		} else {
			roots.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	return roots
}
