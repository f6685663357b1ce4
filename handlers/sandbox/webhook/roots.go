package webhook

import (
	"crypto/x509"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// systemRoots returns the certificates by which receivers elsewhere are judged: nil for those
// of the machine, which SSL_CERT_FILE names where it is set.
func systemRoots() *x509.CertPool {
	system, err := x509.SystemCertPool()
	if err != nil {
		return nil // every connection then says so
	}
	return rootsOr(system)
}

// rootsOr returns nil, for the roots of the machine, or those of Mozilla's list as this program
// was built with it where the machine has none, as in an image of the program alone.
func rootsOr(system *x509.CertPool) *x509.CertPool {
	if !system.Equal(x509.NewCertPool()) {
		return nil
	}
	roots := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			continue // of a kind that this version of Go does not know
		}
		if root.Constraint == nil {
			roots.AddCert(certificate)
		} else {
			roots.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	return roots
}
