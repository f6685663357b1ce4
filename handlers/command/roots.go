package command

import (
	"crypto/x509"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// systemRoots returns the root certificates for verifying webhook receivers. Nil means the
// certificates of the system, or those in SSL_CERT_FILE.
func systemRoots() *x509.CertPool {
	system, err := x509.SystemCertPool()
	if err != nil {
		return nil // each connection will return the error
	}
	return rootsOr(system)
}

// rootsOr returns nil, which means the system's root certificates, if system is not empty.
// Otherwise, it returns Mozilla's list, which is built into the program. A container image that
// contains only this program has no certificates, for example.
func rootsOr(system *x509.CertPool) *x509.CertPool {
	if !system.Equal(x509.NewCertPool()) {
		return nil
	}
	roots := x509.NewCertPool()
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			continue // this version of Go does not support the certificate
		}
		if root.Constraint == nil {
			roots.AddCert(certificate)
		} else {
			roots.AddCertWithConstraint(certificate, root.Constraint)
		}
	}
	return roots
}
