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

// certificateDays is how long a certificate made in memory is valid. Apple's systems trust
// none for longer, even where the user says so.
const certificateDays = 825

// loadCertificate reads the certificate now, so that a bad one stops the start, or makes
// one.
func (o *options) loadCertificate() error {
	switch {
	case o.madeTLS:
		pair, authority, err := makeCertificate(o.names(), time.Now())
		if err != nil {
			return err
		}
		o.config.CA = authority
		o.tls = &tls.Config{Certificates: []tls.Certificate{pair}}
	case o.tlsCert != "":
		o.certificate = &certificateFiles{cert: o.tlsCert, key: o.tlsKey}
		if _, err := o.certificate.load(); err != nil {
			return usagef("--tls-cert %s with --tls-key %s: %w", o.tlsCert, o.tlsKey, err)
		}
		o.tls = &tls.Config{GetCertificate: o.certificate.get}
	}
	return nil
}

// names returns the names and addresses by which clients can reach the server: localhost,
// those of the machine, that of --addr and those of --allowed-host.
func (o *options) names() []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
		if !strings.Contains(name, ".") {
			names = append(names, name+".local") // as multicast DNS has it (RFC 6762)
		}
	}
	if host, _, err := net.SplitHostPort(o.addr); err == nil {
		names = append(names, host)
	}
	addresses, _ := net.InterfaceAddrs() // without them there are the names still
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok {
			names = append(names, network.IP.String())
		}
	}
	return append(names, o.config.AllowedHosts...)
}

// makeCertificate makes a certificate for the names and addresses, and the one that signs
// it, which clients are to trust, in the PEM format. The key of that one is forgotten here,
// so that who trusts it trusts this server alone.
func makeCertificate(names []string, now time.Time) (pair tls.Certificate, authority []byte, err error) {
	signer := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "petstore, made in memory on " + now.UTC().Format(time.DateTime)},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(0, 0, certificateDays), // before, since clocks differ
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
	if signer, err = x509.ParseCertificate(signerDER); err != nil { // as signed, with the id of its key
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
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signerDER}), nil
}
