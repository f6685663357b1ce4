package rest

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// PublicURL is the address by which users reach a server that stands behind a proxy. All
// addresses in answers go by it. Nil stands for a server that users reach directly: then
// they go by the request.
type PublicURL struct {
	Origin string // scheme://host[:port], as a browser has it
	Path   string // what the paths of the server have before them there, such as /petstore; or empty
}

var publicPath = regexp.MustCompile(`^(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// errPublicURL follows the name of a flag or a field.
var errPublicURL = errors.New("must be an address such as https://shop.example/petstore, with http or https and without a query, whose path consists of letters, digits, - . _ and ~")

// ParsePublicURL parses an address such as https://shop.example/petstore, with or without a
// slash at its end. Of an empty text it returns nil.
func ParsePublicURL(text string) (*PublicURL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(text, "?#%") || !validPort(u) {
		return nil, errPublicURL
	}
	p := &PublicURL{Path: strings.TrimSuffix(u.Path, "/")}
	if !publicPath.MatchString(p.Path) {
		return nil, errPublicURL
	}
	defaultPort := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	p.Origin = u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), defaultPort)
	return p, nil
}

func validPort(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// Base returns the address, without a slash at its end.
func (p *PublicURL) Base() string { return p.Origin + p.Path }

func (p *PublicURL) path() string {
	if p == nil {
		return ""
	}
	return p.Path
}

// without returns the path of a request without what proxies put before it that hand it on
// as it is.
func (p *PublicURL) without(path string) string {
	if p == nil || p.Path == "" {
		return path
	}
	behind, ok := strings.CutPrefix(path, p.Path)
	switch {
	case !ok:
		return path
	case behind == "":
		return "/"
	case behind[0] != '/': // another name that begins alike
		return path
	}
	return behind
}

// URL returns the address of a path of the service as the client would write it: behind
// what the proxy puts before it, and with its sandbox prefix.
func (x *Exchange) URL(path string) string { return x.public.path() + x.Prefix + path }

// Base returns the address that the request came to, sandbox prefix included, without a
// slash at its end.
func (x *Exchange) Base() string { return x.root() + x.Prefix }

// BaseOf returns the address of a sandbox, by its canonical name, likewise.
func (x *Exchange) BaseOf(name string) string { return x.root() + prefixed + name }

// Public returns the address of the server by which users reach it behind a proxy, without
// a slash at its end; empty: there is no such proxy.
func (x *Exchange) Public() string {
	if x.public == nil {
		return ""
	}
	return x.public.Base()
}

// root returns the address of the server.
func (x *Exchange) root() string {
	switch {
	case x.public != nil:
		return x.public.Base()
	case x.R.TLS != nil:
		return "https://" + x.R.Host
	}
	return "http://" + x.R.Host
}

// CheckSite returns why the request comes from a page of another site than the server's
// own; nil: it does not, as far as a browser says.
func (x *Exchange) CheckSite() error {
	protection := http.NewCrossOriginProtection()
	if x.public != nil {
		if err := protection.AddTrustedOrigin(x.public.Origin); err != nil {
			return err
		}
	}
	return protection.Check(x.R)
}
