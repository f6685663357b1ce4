package webhook

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/petstore/handlers/hosts"
	"example.com/petstore/store/field"
)

// connectTime is the maximum time for connecting to a target.
const connectTime = 5 * time.Second

// Targets determines where webhooks may send to: to Hosts, and to this machine through a loopback
// address or localhost.
type Targets struct {
	Hosts []string // names or addresses, without ports
	// Roots returns the root certificates for Hosts. It is called at first use. If Roots is nil or
	// returns nil, the machine's roots are used.
	Roots func() *x509.CertPool
}

// Check validates the URL of a webhook and checks that its host is a target. It does not resolve
// names.
func (t Targets) Check(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return errors.New("does not parse; give an address such as http://127.0.0.1:3000/hook")
	}
	switch name := u.Hostname(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must begin with http:// or https://")
	case name == "" || u.Opaque != "":
		return errors.New("must have a host, such as http://127.0.0.1:3000/hook")
	case u.User != nil:
		return errors.New("cannot have a user or a password; the signature shows who sends")
	case u.Fragment != "" || strings.HasSuffix(text, "#"):
		return errors.New("cannot have a #fragment, which is never sent")
	case !hosts.ValidPort(u):
		return errors.New("must have a port from 1 to 65535, or none")
	case !hosts.IsLoopback(hosts.WithoutRoot(name)) && !t.allows(name):
		why, only := "webhooks send to this machine only, by a loopback address or localhost", ""
		if ip, err := netip.ParseAddr(name); err == nil {
			if what := guarded(ip.Unmap()); what != "" {
				why, only = "it is "+what, ", but only if you mean it: no name leads there"
			}
		}
		message := fmt.Sprintf("cannot be at %s: %s", field.Quote(name), why)
		return &field.Problem{Code: "webhook_host", Message: message, Args: []any{field.Abbreviate(name) + only}}
	}
	return nil
}

// guarded returns a description of an address that no host name may resolve to: an unspecified,
// multicast, link-local or cloud metadata address. It returns "" for any other address.
func guarded(ip netip.Addr) string {
	switch {
	case ip.IsUnspecified():
		return "the address of every interface"
	case ip.IsMulticast():
		return "a multicast address"
	case ip == netip.AddrFrom4([4]byte{169, 254, 169, 254}), ip == netip.MustParseAddr("fd00:ec2::254"):
		return "where clouds serve the secrets of their machines"
	case ip.IsLinkLocalUnicast():
		return "a link-local address"
	}
	return ""
}

func (t Targets) allows(name string) bool {
	return slices.ContainsFunc(t.Hosts, func(h string) bool {
		return strings.EqualFold(hosts.WithoutRoot(h), hosts.WithoutRoot(name))
	})
}

// dial connects to a target that [Targets.Check] has accepted. A name is resolved only once, and
// the address is checked when the connection is made, so that a later DNS response cannot lead
// elsewhere. The name localhost always means this machine.
func (t Targets) dial(ctx context.Context, network, address string) (net.Conn, error) {
	name, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	name = hosts.WithoutRoot(name)
	dialer := net.Dialer{Timeout: connectTime,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return t.checkAddress(name, address)
		}}
	if !hosts.IsLocalName(name) {
		return dialer.DialContext(ctx, network, net.JoinHostPort(name, port))
	}
	conn, err := dialer.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	if err == nil {
		return conn, nil
	}
	conn, errOf6 := dialer.DialContext(ctx, network, net.JoinHostPort("::1", port))
	if errOf6 != nil {
		return nil, err
	}
	return conn, nil
}

// checkAddress rejects an address (host:port) that the named host must not resolve to. A loopback
// address is always accepted. Any other address is accepted only if --webhook-host allows the host
// and, if the address is [guarded], the host is that address, not a name.
func (t Targets) checkAddress(name, address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap()
	what := guarded(ip)
	if literal, err := netip.ParseAddr(name); err == nil && literal.Unmap() == ip {
		what = ""
	}
	switch {
	case ip.IsLoopback(), t.allows(name) && what == "":
		return nil
	case what != "":
		return fmt.Errorf("webhooks must not send to %s, which %s resolves to: it is %s", ip, field.Abbreviate(name),
			what)
	}
	return fmt.Errorf("webhooks must not send to %s, which %s resolves to", ip, field.Abbreviate(name))
}
