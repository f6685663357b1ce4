package config

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/docker/go-units"

	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// The bounds of the settings. Each returns what is wrong with a value, or "".

func checkAddr(addr string, _ bool) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" && port == "" {
		return fmt.Sprintf("must be host:port, such as 127.0.0.1:8080, not %q", addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Sprintf("must be host:port with a port from 0 to 65535, such as 127.0.0.1:8080, not %q", addr)
	}
	return ""
}

func checkLogFormat(format string, _ bool) string {
	if format != "text" && format != "json" {
		return fmt.Sprintf("must be text or json, not %q", format)
	}
	return ""
}

// maxDrain is longer than any load balancer needs to notice that a server stops.
const maxDrain = time.Hour

func checkDrain(drain time.Duration, _ bool) string {
	if drain < 0 || drain > maxDrain {
		return fmt.Sprintf("must be from 0s to 1h, not %v", drain)
	}
	return ""
}

// atLeastOne returns bounds for numbers of what, such as " (the default sandbox)".
func atLeastOne(what string) bounds[int] {
	return func(n int, given bool) string {
		if n < 0 || n == 0 && given {
			return fmt.Sprintf("must be at least 1%s, not %d", what, n)
		}
		return ""
	}
}

func (c *Config) checkMaxSandboxes(n int, given bool) string {
	if n == 1 && c.Workshop {
		return "must be at least 2 in a workshop (the default sandbox and that of an attendee), not 1"
	}
	return atLeastOne(" (the default sandbox)")(n, given)
}

func checkTTL(ttl time.Duration, given bool) string {
	if ttl < 0 || ttl == 0 && given {
		return fmt.Sprintf("must be more than 0, not %v", ttl)
	}
	return ""
}

func checkJournal(entries *int, _ bool) string {
	if entries != nil && *entries < 0 {
		return "cannot be negative; 0 turns it off"
	}
	return ""
}

// atLeastBytes returns a lower bound. Its problem has a hint if the number looks like MiB or the
// like.
func atLeastBytes(least int64) bounds[int64] {
	return func(n int64, given bool) string {
		if n >= least || n == 0 && !given {
			return ""
		}
		wrong := fmt.Sprintf("must be at least %s, not %s", units.BytesSize(float64(least)), units.BytesSize(float64(n)))
		if n > 0 && n < 1<<20 {
			wrong += "; a number without a unit is in bytes"
		}
		return wrong
	}
}

const badKey = "must consist of visible ASCII characters without spaces, since it is sent in a header"

func checkKey(key string) string {
	switch {
	case key == "":
		return "is empty; give it a value or leave it out"
	case !sandbox.ValidKey(key):
		return badKey
	}
	return ""
}

// checkAdminKey requires a key with a public URL: a proxy can make any request look like one from
// this machine.
func (c *Config) checkAdminKey(key string, given bool) string {
	public, _ := rest.ParsePublicURL(c.PublicURL)
	switch {
	case key == "" && given:
		return "is empty, which would leave the control plane open; give it a value or leave it out"
	case key == "" && public != nil:
		return "is needed with a public URL, since whoever reaches the proxy reaches the control plane"
	case key != "" && !sandbox.ValidKey(key):
		return badKey
	}
	return ""
}

func badOrigin(origin string) string {
	return fmt.Sprintf("must be an origin, scheme://host[:port], such as http://app.example:5173, not %q", origin)
}

func checkAdminOrigin(origin string) string {
	if !middleware.ValidOrigin(origin) || strings.Contains(origin, "*") { // compared as a whole, so that * would match nothing
		return badOrigin(origin)
	}
	return ""
}

func checkCORSOrigin(origin string) string {
	if !middleware.ValidOrigin(origin) && origin != "*" {
		return badOrigin(origin)
	}
	return ""
}

func checkHost(example string) func(host string) string {
	return func(host string) string {
		if !middleware.ValidHost(host) {
			return fmt.Sprintf("must be a host name such as %s, without a port, not %q", example, host)
		}
		return ""
	}
}

func checkProxy(proxy string) string {
	if _, ok := middleware.ParseProxy(proxy); !ok {
		return fmt.Sprintf("must be a network such as 10.0.0.0/8, or an address, not %q", proxy)
	}
	return ""
}

// checkDate returns bounds for one of getPet's dates, by its name in a lifecycle.
func (c *Config) checkDate(name string) bounds[time.Time] {
	return func(time.Time, bool) string {
		l := sandbox.Lifecycle{Deprecated: true}
		l.DeprecatedSince, l.Sunset = c.dates()
		for _, problem := range l.Check() {
			if problem.Field == name {
				return problem.Message
			}
		}
		return ""
	}
}

func checkLatency(l Latency, _ bool) string {
	if !l.valid() {
		return fmt.Sprintf("%s, not %v..%v", latencyHelp, l.Min, l.Max)
	}
	return ""
}

func checkShare(share float64, _ bool) string {
	if !(share >= 0 && share <= 1) { // also refuses NaN
		return fmt.Sprintf("must be from 0 to 1, not %v", share)
	}
	return ""
}

var rateText = fmt.Sprintf("must be a number of requests a second from %v to %v, such as 10 or 0.5, or 0 for any", sandbox.MinRateLimit, sandbox.MaxRateLimit)

func checkRate(requests float64, _ bool) string {
	if err := sandbox.CheckRateLimit(requests); err != nil {
		return err.Error()
	}
	return ""
}

// maxReplica bounds a header that every response carries.
const maxReplica = 100

func (c *Config) checkReplica(name string, given bool) string {
	switch {
	case c.Sharded && name == "":
		return "must name this replica, since the names of its sandboxes end in it (--sharded)"
	case c.Sharded && !sandbox.ValidShard(name):
		return fmt.Sprintf("must be 1 to 31 characters from a-z, 0-9 and \"-\", the first no \"-\", "+
			"since the names of sandboxes end in it (--sharded), not %q", name)
	case name == "" && !given:
	case len(name) > maxReplica, !sandbox.ValidKey(name):
		return fmt.Sprintf("must be 1 to %d visible ASCII characters without spaces, since it is sent in a header, not %q", maxReplica, name)
	}
	return ""
}

func checkPublicURL(address string, given bool) string {
	public, err := rest.ParsePublicURL(address)
	switch {
	case err != nil:
		return fmt.Sprintf("%v, not %q", err, address)
	case public == nil && given:
		return "is empty; give it a value or leave it out"
	case public == nil:
		return ""
	}
	if u, err := url.Parse(public.Origin); err != nil || !middleware.ValidHost(u.Hostname()) {
		return fmt.Sprintf("must have a host name in ASCII or an IP address, not that of %q", address)
	}
	return ""
}

// OwnSegments returns the first segments of the server's paths, which a test of package handlers
// compares with the routes.
func OwnSegments() []string {
	return []string{
		"admin", "categories", "docs", "events", "favicon.ico", "healthz", "icon.svg", "join", "mcp", "messages", "metrics", "openapi.json", "openapi.yaml", "pages", "pets",
		"sandboxes", "store", "workshop",
	}
}

// publicPath refuses a path prefix that looks like a path of the server.
func (k *checker) publicPath(address string) {
	public, err := rest.ParsePublicURL(address)
	if err != nil || public.Path == "" {
		return
	}
	if first, _, _ := strings.Cut(public.Path[1:], "/"); slices.Contains(OwnSegments(), first) {
		k.refuse("PublicURL", "public-url", "cannot have a path that begins with /%s, as paths of the server do: nobody could tell them apart", first)
	}
}

// validPEM reports whether the text is certificates and nothing else, such as a private key.
func validPEM(text []byte) bool {
	certificates := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if _, err := x509.ParseCertificate(block.Bytes); err != nil || block.Type != "CERTIFICATE" {
			return false
		}
		text = rest
		certificates++
	}
	return certificates > 0 && len(bytes.TrimSpace(text)) == 0
}
