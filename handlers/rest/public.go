package rest

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"example.com/petstore/handlers/hosts"
)

// PublicURL is the address at which users reach a server behind a proxy. Absolute URLs in responses
// start with it, and paths start with its Path. With the zero PublicURL, absolute URLs start with the
// address in the request.
type PublicURL struct {
	Origin string // scheme://host[:port], in the form that browsers send in the Origin header
	Path   string // the path prefix of the server, such as /petstore, or ""
}

var publicPath = regexp.MustCompile(`^(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// errPublicURL is shown after the name of a flag or field.
var errPublicURL = errors.New(
	"must be an address such as https://shop.example/petstore, with http or https and without a query, whose path " +
		"consists of letters, digits, - . _ and ~")

// ParsePublicURL parses an address such as https://shop.example/petstore, with or without a
// trailing slash. It returns the zero PublicURL if text is empty.
func ParsePublicURL(text string) (PublicURL, error) {
	if text == "" {
		return PublicURL{}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.ContainsAny(text, "?#%") || !hosts.ValidPort(u) {
		return PublicURL{}, errPublicURL
	}
	p := PublicURL{Path: strings.TrimSuffix(u.Path, "/")}
	if !publicPath.MatchString(p.Path) {
		return PublicURL{}, errPublicURL
	}
	defaultPort := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	p.Origin = u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), defaultPort)
	return p, nil
}

// Base returns the address without a trailing slash, or "" for the zero PublicURL.
func (p PublicURL) Base() string { return p.Origin + p.Path }

// trim removes the public path prefix, which must not be empty, from a request's path. The path has
// no such prefix if the proxy has already removed it.
func (p PublicURL) trim(path string) string {
	behind, ok := strings.CutPrefix(path, p.Path)
	switch {
	case !ok:
		return path
	case behind == "":
		return "/"
	case behind[0] != '/': // a longer segment, such as /petstores
		return path
	}
	return behind
}

// Base returns the server's address with the request's sandbox prefix, without a trailing slash.
func (x *Exchange) Base() string { return x.root() + x.Prefix }

// BaseOf is like [Exchange.Base], but for the sandbox with the given canonical name.
func (x *Exchange) BaseOf(name string) string { return x.root() + prefixed + name }

// root returns the server's address as the client sees it.
func (x *Exchange) root() string {
	scheme := "http://"
	if x.R.TLS != nil {
		scheme = "https://"
	}
	return cmp.Or(x.Public.Base(), scheme+x.R.Host)
}

// CheckSite returns an error if the browser's headers show that a page of another origin sent the
// request. It accepts every GET, HEAD and OPTIONS.
func (x *Exchange) CheckSite() error {
	protection := http.NewCrossOriginProtection()
	if x.Public.Origin != "" {
		if err := protection.AddTrustedOrigin(x.Public.Origin); err != nil {
			return err
		}
	}
	return protection.Check(x.R)
}

// IsTrustworthy reports whether browsers consider the request's address potentially trustworthy
// (W3C Secure Contexts, section 3.1). It must be an HTTPS address or an address of the local
// machine.
func (x *Exchange) IsTrustworthy() bool {
	u, err := url.Parse(x.root())
	return err == nil && (u.Scheme == "https" || hosts.IsLoopback(u.Hostname()))
}
