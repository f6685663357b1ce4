package command

import (
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

// logAddresses logs the URLs to open in a browser. If standard error is a terminal and the log format
// is text, it prints them as plain lines instead. It does nothing unless standard error is a
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
// configured, it is the only result. Otherwise, there is one URL for each of the machine's addresses
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

// reachable is like addresses, but omits loopback URLs, which other machines cannot use. It never
// omits the configured public URL.
func (o *options) reachable(bound *net.TCPAddr) []string {
	return slices.DeleteFunc(o.addresses(bound), func(address string) bool {
		u, err := url.Parse(address)
		return err != nil || o.Config.PublicURL == "" && hosts.IsLoopback(u.Hostname())
	})
}

// addressesOf implements addresses for the given interface addresses. IPv4 comes first.
func (o *options) addressesOf(interfaces []net.Addr, bound *net.TCPAddr) []string {
	var v4, v6 []string
	for _, address := range interfaces {
		network, ok := address.(*net.IPNet)
		if !ok {
			continue
		}
		base := o.url(&net.TCPAddr{IP: network.IP, Port: bound.Port})
		switch {
		case !network.IP.IsGlobalUnicast(): // in a URL, a link-local IPv6 address would need the interface's name
		case network.IP.To4() != nil:
			v4 = append(v4, base)
		case bound.IP.To4() == nil:
			v6 = append(v6, base)
		}
	}
	if urls := append(v4, v6...); len(urls) > 0 {
		return urls
	}
	return []string{o.url(bound)}
}
