package config

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/docker/go-units"

	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// maxDrain is the maximum of Program.Drain. No load balancer takes this long to notice that a
// server is stopping.
const maxDrain = time.Hour

// maxReplica is the maximum length of Config.Replica, which every response contains.
const maxReplica = 100

const (
	isEmpty   = "is empty; give it a value or leave it out"
	badKey    = "must consist of visible ASCII characters without spaces, since it is sent in a header"
	badOrigin = "must be an origin, scheme://host[:port], such as http://app.example:5173"
)

// between returns a function that checks that a value is in the range from least to most,
// inclusive. The function rejects NaN. rule is the start of the message and describes the range.
func between[T cmp.Ordered](least, most T, rule string) func(T) string {
	return func(v T) string {
		if v >= least && v <= most {
			return ""
		}
		return fmt.Sprintf("%s, not %v", rule, v)
	}
}

// valid returns a function that rejects a string for which isValid returns false. rule is the start
// of the message.
func valid(isValid func(text string) bool, rule string) func(text string) string {
	return func(text string) string {
		if isValid(text) {
			return ""
		}
		return fmt.Sprintf("%s, not %q", rule, text)
	}
}

func isLogFormat(format string) bool { return format == "text" || format == "json" }

func isProxy(proxy string) bool {
	_, ok := middleware.ParseProxy(proxy)
	return ok
}

// isAdminOrigin reports whether origin is valid in AdminOrigins. An origin that contains "*" is
// invalid, because origins are compared literally and no browser sends a "*".
func isAdminOrigin(origin string) bool {
	return middleware.ValidOrigin(origin) && !strings.Contains(origin, "*")
}

func isCORSOrigin(origin string) bool { return middleware.ValidOrigin(origin) || origin == "*" }

func checkAddr(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host == "" && port == "" {
		return fmt.Sprintf("must be host:port, such as 127.0.0.1:8080, not %q", addr)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Sprintf("must be host:port with a port from 0 to 65535, such as 127.0.0.1:8080, not %q", addr)
	}
	return ""
}

// filled rejects an empty string, because a shell passes one for a variable that is not set.
func filled(text string) string {
	if text == "" {
		return isEmpty
	}
	return ""
}

func checkJournal(entries *int) string {
	if *entries < 0 {
		return "cannot be negative; 0 turns it off"
	}
	return ""
}

// atLeastBytes returns a function that checks that a number of bytes is not less than least. If the
// number is small, the message explains that a number without a unit is in bytes.
func atLeastBytes(least int64) func(int64) string {
	return func(n int64) string {
		if n >= least {
			return ""
		}
		wrong := fmt.Sprintf("must be at least %s, not %s", units.BytesSize(float64(least)),
			units.BytesSize(float64(n)))
		if n > 0 && n < 1<<20 {
			wrong += "; a number without a unit is in bytes"
		}
		return wrong
	}
}

func checkKey(key string) string {
	switch {
	case key == "":
		return isEmpty
	case !registry.ValidKey(key):
		return badKey
	}
	return ""
}

func checkAdminKey(key string) string {
	if key == "" {
		return "is empty, which would leave the control plane open; give it a value or leave it out"
	}
	return checkKey(key)
}

func checkLatency(l Latency) string {
	if !l.valid() {
		return fmt.Sprintf("%s, not %v..%v", latencyHelp, l.Min, l.Max)
	}
	return ""
}

var rateText = fmt.Sprintf("must be a number of requests a second from %v to %v, such as 10 or 0.5, or 0 for any",
	sandbox.MinRateLimit, sandbox.MaxRateLimit)

func checkRate(requests float64) string {
	if err := sandbox.CheckRateLimit(requests); err != nil {
		return err.Error()
	}
	return ""
}

func (c *Config) checkReplica(name string) string {
	switch {
	case c.Sharded && name == "": // checkConfig rejects it
	case c.Sharded && !registry.ValidShard(name):
		return fmt.Sprintf("must be 1 to 31 characters from a-z, 0-9 and \"-\", the first no \"-\", "+
			"since the names of sandboxes end in it (--sharded), not %q", name)
	case len(name) > maxReplica, !registry.ValidKey(name):
		return fmt.Sprintf(
			"must be 1 to %d visible ASCII characters without spaces, since it is sent in a header, not %q", maxReplica,
			name)
	}
	return ""
}

func checkPublicURL(address string) string {
	public, err := rest.ParsePublicURL(address)
	switch {
	case err != nil:
		return fmt.Sprintf("%v, not %q", err, address)
	case public.Origin == "":
		return isEmpty
	}
	if u, err := url.Parse(public.Origin); err != nil || !middleware.ValidHost(u.Hostname()) {
		return fmt.Sprintf("must have a host name in ASCII or an IP address, not that of %q", address)
	}
	return ""
}

// OwnSegments returns the first segments of the paths that the server serves. A test in package
// handlers compares them with the routes.
func OwnSegments() []string {
	return []string{
		"admin", "categories", "docs", "events", "favicon.ico", "healthz", "icon.svg", "join", "mcp", "messages",
		"metrics", "openapi.json", "openapi.yaml", "pages", "pets",
		"sandboxes", "store", "workshop",
	}
}

// isCertificates reports whether text has certificates in PEM format and no private key.
func isCertificates(text []byte) bool {
	return x509.NewCertPool().AppendCertsFromPEM(text) && !bytes.Contains(text, []byte("PRIVATE KEY"))
}
