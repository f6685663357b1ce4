package handlers

import (
	"net/url"
	"slices"

	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/middleware"
	"example.com/petstore/handlers/rest"
)

// public validates the address of a server behind a proxy, and requires an admin key: a proxy can
// make any request look like one from this machine.
func (k *configChecker) public(c *Config) {
	refuse := func(format string, args ...any) { k.refuse("PublicURL", "public-url", format, args...) }
	public, err := rest.ParsePublicURL(c.PublicURL)
	switch {
	case err != nil:
		refuse("%v, not %q", err, c.PublicURL)
		return
	case public == nil:
		if k.given("public-url") {
			refuse("is empty; give it a value or leave it out")
		}
		return
	}
	if u, err := url.Parse(public.Origin); err != nil || !middleware.ValidHost(u.Hostname()) {
		refuse("must have a host name in ASCII or an IP address, not that of %q", c.PublicURL)
	}
	if first := firstSegment(public.Path); first != "" && slices.Contains(ownSegments(), first) {
		refuse("cannot have a path that begins with /%s, as paths of the server do: nobody could tell them apart", first)
	}
	if c.AdminKey == "" && !k.given("admin-key") {
		k.refuse("AdminKey", "admin-key", "is needed with a public URL, since whoever reaches the proxy reaches the control plane")
	}
}

// ownSegments returns the first segments of the server's paths.
func ownSegments() []string {
	segments := []string{"sandboxes"}
	for _, op := range new(Server).rows(new(admin.Server)) {
		segments = append(segments, firstSegment(op.Path))
	}
	return segments
}
