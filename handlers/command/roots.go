package command

import (
	"crypto/x509"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// systemRoots returns the root certificates for verifying webhook receivers. Nil means the
// system's, or those in SSL_CERT_FILE.
func systemRoots() *x509.CertPool {
	system, err := x509.SystemCertPool()
	if err != nil {
		return nil // each connection will return the error
	}
	return rootsOr(system)
}

// rootsOr returns nil, meaning the system's roots, if system has any. Otherwise, as in a container
// image that holds only this program, it returns Mozilla's list, which is built in.
func rootsOr(system *x509.CertPool) *x509.CertPool {
	if !system.Equal(x509.NewCertPool()) {
		return nil
	}
	roots := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			continue // this version of Go does not support it
		}
		if root.Constraint == nil {
			roots.AddCert(certificate)
		} else {
			roots.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	return roots
}
