package command

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
	"os"
	"strings"
	"time"

	"example.com/petstore/handlers/middleware"
)

// certificateDays is the lifetime of a generated certificate in days. Apple's systems reject a
// lifetime of more than 825 days, even if the user trusts the certificate.
const certificateDays = 824

// loadCertificate reads or generates the certificate for HTTPS. It is called before the server
// listens, so that an invalid file prevents the start.
func (o *options) loadCertificate() error {
	switch {
	case o.TLS:
		pair, authority, err := makeCertificate(o.names(), time.Now())
		if err != nil {
			return err
		}
		o.Config.CA = authority
		o.tls = &tls.Config{Certificates: []tls.Certificate{pair}}
	case o.TLSCert != "":
		o.certificate = &certificateFiles{cert: o.TLSCert, key: o.TLSKey}
		if _, err := o.certificate.load(); err != nil {
			return usagef("%s %s with %s %s: %w", o.called("tls-cert"), o.TLSCert, o.called("tls-key"), o.TLSKey, err)
		}
		o.tls = &tls.Config{GetCertificate: o.certificate.get}
	}
	return nil
}

// names returns the host names and addresses for the certificate: localhost, the machine's own
// names and addresses, and the hosts in --addr and --allowed-host.
func (o *options) names() []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
		if !strings.Contains(name, ".") {
			names = append(names, name+".local") // multicast DNS (RFC 6762)
		}
	}
	if host, _, err := net.SplitHostPort(o.Addr); err == nil {
		names = append(names, host)
	}
	addresses, _ := net.InterfaceAddrs() // on error, omit the machine's addresses
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			names = append(names, network.IP.String())
		}
	}
	return append(names, o.Config.AllowedHosts...)
}

// makeCertificate generates a server certificate for the names and addresses. It also returns the
// CA certificate that signed it, in PEM format, for clients to trust. makeCertificate discards the
// CA's key, so a client that trusts the CA trusts only this server.
func makeCertificate(names []string, now time.Time) (pair tls.Certificate, authority []byte, err error) {
	begin := now.Add(-time.Hour) // because clocks differ
	signer := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "petstore, made in memory on " + now.UTC().Format(time.DateTime)},
		NotBefore: begin, NotAfter: begin.AddDate(0, 0, certificateDays),
		KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
	}
	signerKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair, nil, err
	}
	signerDER, err := x509.CreateCertificate(rand.Reader, signer, signer, signerKey.Public(), signerKey)
	if err != nil {
		return pair, nil, err
	}
	if signer, err = x509.ParseCertificate(signerDER); err != nil { // parsing fills in the key id
		return pair, nil, err
	}
	leaf := &x509.Certificate{
		NotBefore: signer.NotBefore, NotAfter: signer.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, ip)
		} else if middleware.ValidHost(name) {
			leaf.DNSNames = append(leaf.DNSNames, name)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, signer, key.Public(), signerKey)
	if err != nil {
		return pair, nil, err
	}
	authority = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signerDER})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, authority, nil
}
