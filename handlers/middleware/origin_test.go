package middleware

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"example.com/petstore/handlers/rest"
)

// guarded returns a request to the control plane that is admitted if it is not changed.
func guarded(method string) *visit {
	v := newVisit(method, "/admin/reset", nil)
	v.x.R.Host = "localhost:8080"
	return v
}

var origins = Origins{AllowedHosts: []string{"petstore.test", "dotted.test."}, Trusted: []string{"https://teacher.example"}}

func TestGuardAdminHosts(t *testing.T) {
	t.Parallel()
	for host, known := range map[string]bool{
		"localhost": true, "localhost:80": true, "LocalHost.": true, "ada.localhost": true, "127.9.9.9:80": true, "127.0.0.1.": true, "[::1]": true, "[::1]:80": true,
		"[::ffff:127.0.0.1]": true, "petstore.test": true, "PETSTORE.test.:99": true, "dotted.test": true, "192.0.2.7": true, "192.0.2.7:80": true, "[::ffff:192.0.2.7]:80": true,
		"": false, "localhost..": false, "xlocalhost": false, "localhost.example": false, "192.0.2.8": false, "petstore.test.example": false, "xpetstore.test": false, "0.0.0.0": false,
	} {
		v := guarded(http.MethodPost)
		v.x.R.Host = host
		v.x.R = v.x.R.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.7:8080"))))
		if v.through(GuardAdmin(origins, false)); known {
			v.expectPassed(t)
			continue
		}
		if e := v.expectRefused(t, http.StatusForbidden, "forbidden"); !strings.Contains(e.Message, "--allowed-host") {
			t.Errorf("message = %q", e.Message)
		}
	}
	// A listener that is not a TCP socket has no address to compare with.
	for _, local := range []any{nil, &net.UnixAddr{Name: "192.0.2.7", Net: "unix"}} {
		v := guarded(http.MethodPost)
		v.x.R.Host = "192.0.2.7"
		v.x.R = v.x.R.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, local))
		v.through(GuardAdmin(origins, false)).expectRefused(t, http.StatusForbidden, "forbidden")
	}
}

func TestGuardAdminOrigins(t *testing.T) {
	t.Parallel()
	const own, dev, teacher, evil = "http://localhost:8080", "http://127.0.0.1:5173", "https://teacher.example", "https://evil.example"
	for _, test := range []struct {
		origins []string
		site    string // Sec-Fetch-Site
		change  bool   // whether a write or a stream is admitted
		read    bool   // whether a read is admitted
	}{
		{nil, "", true, true},
		{nil, "same-origin", true, true},
		{nil, "none", true, true},
		{nil, "same-site", false, true},
		{nil, "cross-site", false, true},
		{[]string{own}, "", true, true},
		{[]string{dev}, "", true, true},
		{[]string{dev}, "cross-site", true, true},
		{[]string{teacher}, "cross-site", true, true},
		{[]string{"HTTPS://Teacher.example"}, "", true, true},
		{[]string{"http://localhost.:1"}, "", true, true},
		{[]string{evil}, "", false, true},
		{[]string{evil}, "same-origin", false, true},
		{[]string{"null"}, "", false, true},
		{[]string{""}, "", false, true},
		{[]string{"http://teacher.example"}, "", false, true},
		{[]string{teacher + "."}, "", false, true},
		{[]string{"http://127.0.0.1/"}, "", false, true},
		{[]string{"ftp://127.0.0.1"}, "", false, true},
		{[]string{"http://"}, "", false, true},
		{[]string{"http://%zz"}, "", false, true},
		{[]string{dev, evil}, "", false, false},
		{[]string{dev, dev}, "", false, false},
	} {
		for _, way := range []struct {
			method         string
			stream, letsIn bool
		}{
			{http.MethodPost, false, test.change},
			{http.MethodPut, false, test.change},
			{http.MethodDelete, false, test.change},
			{http.MethodGet, true, test.change},
			{http.MethodHead, true, test.change},
			{http.MethodGet, false, test.read},
			{http.MethodHead, false, test.read},
		} {
			v := guarded(way.method)
			v.x.Operation.Kind, v.x.Operation.Stream = rest.Admin, way.stream
			if v.x.R.Header["Origin"] = test.origins; test.origins == nil {
				delete(v.x.R.Header, "Origin")
			}
			if test.site != "" {
				v.x.R.Header.Set("Sec-Fetch-Site", test.site)
			}
			if v.through(GuardAdmin(origins, false)); way.letsIn {
				v.expectPassed(t)
			} else {
				v.expectRefused(t, http.StatusForbidden, "forbidden")
			}
		}
	}
}

// TestGuardAdminOwnOrigin checks that the server's own origin includes the scheme.
func TestGuardAdminOwnOrigin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		origin  string
		secured bool
		allowed bool
	}{
		{"http://petstore.test", false, true},
		{"http://PetStore.test", false, true},
		{"https://petstore.test", true, true},
		{"https://petstore.test", false, false},
		{"http://petstore.test", true, false},
		{"http://petstore.test:81", false, false},
		{"http://dotted.test", false, false},
	} {
		v := guarded(http.MethodPost)
		v.x.R.Host = "petstore.test"
		v.x.R.Header.Set("Origin", test.origin)
		if test.secured {
			v.x.R.TLS = new(tls.ConnectionState)
		}
		if v.through(GuardAdmin(origins, false)); test.allowed {
			v.expectPassed(t)
		} else {
			v.expectRefused(t, http.StatusForbidden, "forbidden")
		}
	}
}
