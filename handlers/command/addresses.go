package command

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"

	"golang.org/x/term"

	"example.com/petstore/handlers/hosts"
	"example.com/petstore/handlers/rest"
)

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// logAddresses logs the URLs to open in a browser. It does nothing unless standard error is a
// terminal, clients on other machines can reach the server, or the server runs a workshop.
func (o *options) logAddresses(out io.Writer, logger *slog.Logger, bound *net.TCPAddr) {
	for _, base := range o.addresses(bound) {
		pages := []any{"dashboard", base + "/", "docs", base + "/docs/"}
		if o.Config.Workshop {
			pages = append(pages, "join", base+rest.JoinPath, "workshop", base+"/workshop")
		}
		switch {
		case o.terminal && o.LogFormat == "text":
			for i := 0; i < len(pages); i += 2 {
				fmt.Fprintf(out, "  %-10s %s\n", pages[i], pages[i+1])
			}
		case o.terminal || o.Config.Workshop || o.Config.PublicURL != "" || !bound.IP.IsLoopback():
			logger.Info("addresses", pages...)
		}
	}
}

// addresses returns the base URLs at which clients can reach the server. If a public URL is
// configured, this is the only one. Otherwise, there is one URL for each of the machine's addresses
// on which the server listens. If it listens on all of them, link-local addresses are omitted, and
// a loopback address is included only if there are no others.
func (o *options) addresses(bound *net.TCPAddr) []string {
	if public, err := rest.ParsePublicURL(o.Config.PublicURL); err == nil && public.Origin != "" {
		return []string{public.Base()}
	}
	if !bound.IP.IsUnspecified() {
		return []string{o.url(bound)}
	}
	reachable, err := net.InterfaceAddrs()
	if err != nil {
		return []string{o.url(bound)}
	}
	return o.addressesOf(reachable, bound)
}

// reachable returns those base URLs that other machines can use.
func (o *options) reachable(bound *net.TCPAddr) []string {
	return slices.DeleteFunc(o.addresses(bound), func(address string) bool {
		u, err := url.Parse(address)
		return err != nil || o.Config.PublicURL == "" && hosts.IsLoopback(u.Hostname())
	})
}

// addressesOf implements addresses for the given interface addresses.
func (o *options) addressesOf(interfaces []net.Addr, bound *net.TCPAddr) []string {
	var ips []net.IP
	for _, address := range interfaces {
		// Omit link-local addresses. In a URL, those of IPv6 would need the name of an interface.
		if network, ok := address.(*net.IPNet); ok && network.IP.IsGlobalUnicast() &&
			(bound.IP.To4() == nil || network.IP.To4() != nil) {
			ips = append(ips, network.IP)
		}
	}
	// Sort the shortest first.
	slices.SortStableFunc(ips, func(a, b net.IP) int { return cmp.Compare(len(shortIP(a)), len(shortIP(b))) })
	var urls []string
	for _, ip := range ips {
		urls = append(urls, o.url(&net.TCPAddr{IP: ip, Port: bound.Port}))
	}
	if len(urls) == 0 {
		return []string{o.url(bound)}
	}
	return urls
}

// shortIP returns the 4-byte form of an IPv4 address and the 16-byte form of an IPv6 address.
func shortIP(ip net.IP) net.IP {
	if four := ip.To4(); four != nil {
		return four
	}
	return ip
}
