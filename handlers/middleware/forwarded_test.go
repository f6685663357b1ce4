package middleware

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// TestForwardedClients checks whether all clients that a Forwarded line names are on this machine.
func TestForwardedClients(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]map[string]bool{
		"Forwarded": {
			`for=127.0.0.1`: true, `For=127.8.8.8`: true, `for="127.0.0.1:4711"`: true, `for="[::1]"`: true,
			`for="[::1]:80"`: true, `for="[::ffff:127.0.0.1]"`: true, `for="[0:0:0:0:0:0:0:1]"`: true,
			`for=127.0.0.1; proto=http;by=203.0.113.7;host="localhost:5173"`: true, `proto=https;for=127.0.0.1`: true,
			`;for=127.0.0.1;;proto=http;`: true, "for=127.0.0.1\t,for=127.0.0.2": true,
			`secret="\"";for=127.0.0.1`: true,

			`for=203.0.113.7`: false, `for="[2001:db8::1]:4711"`: false, `for=0.0.0.0`: false, `for="[::]"`: false,
			`for=127.0.0.1, for=203.0.113.7`: false, `for=203.0.113.7, for=127.0.0.1`: false,
			`for=127.0.0.1; for=203.0.113.7`: false, `for=127.0.0.1;for=127.0.0.1`: false,
			`for=unknown`: false, `for=_hidden`: false, `for="_hidden:1"`: false, `for=localhost`: false,
			`for=""`: false, `for=127.0.0.1.evil.example`: false,
			`proto=https`: false, `for=127.0.0.1, proto=https`: false, `by=127.0.0.1`: false, // the client is not named
			``: false, `,`: false, `for=127.0.0.1,`: false, `,for=127.0.0.1`: false, `127.0.0.1`: false, `for`: false,
			`for=`: false, `for= 127.0.0.1`: false, `for=127.0.0.1 x`: false, `for="127.0.0.1`: false,
			`for=127.0.0.1"`: false, `for='127.0.0.1'`: false, `for="[::1]x"`: false, `for="127.0.0.1:"`: false,
			`for="127.0.0.1:http"`: false, `for="127.0.0.1:123456"`: false, `for="127.0.0.1:80:80"`: false,
			`for=127.1`: false, `for="[::1%lo]"`: false, `xfor=127.0.0.1`: false,
			`host="x;for=127.0.0.1"`: false, `host="x;for=127.0.0.1;y"`: false, `host=x,for=127.0.0.1`: false,
		},
		"X-Forwarded-For": {
			`127.0.0.1`: true, `127.8.8.8`: true, `::1`: true, `[::1]`: true, `::ffff:127.0.0.1`: true,
			`127.0.0.1:4711`: true, `[::1]:4711`: true,
			`127.0.0.1, ::1`: true, "127.0.0.1 ,\t127.0.0.2": true, ` 127.0.0.1 `: true,

			`203.0.113.7`: false, `2001:db8::1`: false, `0.0.0.0`: false, `::`: false, `127.0.0.1, 203.0.113.7`: false,
			`203.0.113.7, 127.0.0.1`: false, `203.0.113.7:80`: false,
			`unknown`: false, `localhost`: false, `_hidden`: false, `127.0.0.1.evil.example`: false,
			`127.0.0.1,`: false, `,127.0.0.1`: false, ``: false, `,`: false,
			`127.1`: false, `127.0.0.1 203.0.113.7`: false, `127.0.0.1;203.0.113.7`: false, `"127.0.0.1"`: false,
			`for=127.0.0.1`: false, `127.0.0.1:http`: false,
		},
		"X-Real-Ip": {
			`127.0.0.1`: true, `::1`: true, `[::1]`: true, `127.0.0.1:4711`: true, ` 127.0.0.1 `: true,

			`203.0.113.7`: false, `2001:db8::1`: false, `127.0.0.1, 203.0.113.7`: false, `unknown`: false, ``: false,
			`localhost`: false,
		},
	} {
		for line, want := range lines {
			if got := forLoopback(http.Header{name: {line}}); got != want {
				t.Errorf("%s: %s names clients on this machine alone: %t, want %t", name, line, got, want)
			}
			if got := forLoopback(http.Header{name: {lineOfThisMachine[name], line}}); got != want {
				t.Errorf("%s: %s as the second line names clients on this machine alone: %t, want %t", name, line, got,
					want)
			}
		}
	}
	if !forLoopback(http.Header{}) {
		t.Error("a request without a proxy is not from this machine")
	}
}

var lineOfThisMachine = map[string]string{"Forwarded": "for=127.0.0.1", "X-Forwarded-For": "127.0.0.1",
	"X-Real-Ip": "127.0.0.1"}

// TestClientBehindProxies covers two networks of trusted proxies. TestForwardedClients has the forms
// of addresses.
func TestClientBehindProxies(t *testing.T) {
	t.Parallel()
	const proxy, stranger = "10.0.0.1:4711", "192.0.2.1:4711"
	type header = http.Header
	xff := func(lines ...string) header { return header{"X-Forwarded-For": lines} }
	forwarded := func(lines ...string) header { return header{"Forwarded": lines} }
	for _, test := range []struct {
		name, peer string
		header     header
		want       string
	}{
		{"no header", proxy, nil, "10.0.0.1"},
		{"a stranger", stranger, nil, "192.0.2.1"},
		{"a stranger's header", stranger, xff("198.51.100.7"), "192.0.2.1"},
		{"a stranger of IPv6", "[2001:db8::1]:1", nil, "2001:db8::1"},
		{"a transport without ports", "pipe", xff("198.51.100.7"), "pipe"},

		{"one client", proxy, xff("198.51.100.7"), "198.51.100.7"},
		{"a proxy that maps IPv4 to IPv6", "[::ffff:10.0.0.1]:1", xff("198.51.100.7"), "198.51.100.7"},
		{"a proxy with a zone", "[fe80::1%eth0]:1", xff("198.51.100.7"), "198.51.100.7"},
		{"what the client claims", proxy, xff("203.0.113.9, 198.51.100.7"), "198.51.100.7"},
		{"what the client claims in a line of its own", proxy, xff("203.0.113.9", "198.51.100.7"), "198.51.100.7"},
		{"two proxies", proxy, xff("203.0.113.9, 198.51.100.7, 10.9.9.9"), "198.51.100.7"},
		{"a client among the proxies", proxy, xff("10.1.1.1,\t10.9.9.9"), "10.1.1.1"},
		{"IPv6", proxy, xff("2001:DB8::0001"), "2001:db8::1"},
		{"mapped IPv4", proxy, xff("::ffff:198.51.100.7"), "198.51.100.7"},
		{"no address", proxy, xff("198.51.100.7, unknown"), "10.0.0.1"},
		{"no address further left", proxy, xff("unknown, 198.51.100.7"), "198.51.100.7"},
		{"no address behind a second proxy", proxy, xff("198.51.100.7, unknown, 10.9.9.9"), "10.9.9.9"},
		{"nothing behind a comma", proxy, xff("198.51.100.7,"), "10.0.0.1"},
		{"an empty line", proxy, xff(""), "10.0.0.1"},

		{"Forwarded", proxy, forwarded("for=198.51.100.7"), "198.51.100.7"},
		{"Forwarded by two proxies", proxy, forwarded("for=203.0.113.9, for=198.51.100.7", "for=10.9.9.9"),
			"198.51.100.7"},
		{"Forwarded for nothing", proxy, forwarded("for=198.51.100.7, proto=http"), "10.0.0.1"},
		{"Forwarded, an open quote of the client", proxy, forwarded(`for="203.0.113.9, for=198.51.100.7`),
			"198.51.100.7"},
		{"Forwarded, a host of the client", proxy,
			forwarded(`for=198.51.100.7;host="x,for=203.0.113.9;a=";by="[2001:db8::1]"`), "10.0.0.1"},

		{"both", proxy, header{"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=198.51.100.7"}}, "198.51.100.7"},
		{"one extended and one handed on", proxy,
			header{"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=203.0.113.9"}}, "10.0.0.1"},
		{"the other extended", proxy, header{"X-Forwarded-For": {"203.0.113.9"}, "Forwarded": {"for=198.51.100.7"}},
			"10.0.0.1"},
		{"X-Real-IP", proxy, header{"X-Real-Ip": {"198.51.100.7"}}, "10.0.0.1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			proxies := ParseProxies([]string{"10.0.0.0/8", "fe80::/10"})
			r := &http.Request{RemoteAddr: test.peer, Header: test.header}
			if got := proxies.Client(r); got != test.want {
				t.Errorf("client = %s, want %s", got, test.want)
			}
			r.Header = header{"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=198.51.100.7"}}
			if got, want := Proxies(nil).Client(r), Proxies(nil).
				Client(&http.Request{RemoteAddr: test.peer}); got != want {
				t.Errorf("without proxies client = %s, want %s", got, want)
			}
		})
	}
}

func TestParseProxy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10.0.0.0/8": "10.0.0.0/8", "10.1.2.3/8": "10.0.0.0/8", "127.0.0.1": "127.0.0.1/32", "::1": "::1/128",
		"2001:db8::/32": "2001:db8::/32", "::ffff:10.0.0.1": "10.0.0.1/32", "0.0.0.0/0": "0.0.0.0/0", "": "",
		"localhost": "", "10.0.0.0/33": "", "10.0.0/8": "", "fe80::1%eth0": "", "::ffff:10.0.0.0/104": "", "*": "",
		"127.0.0.1:80": "",
	} {
		network, ok := ParseProxy(text)
		if ok != (want != "") || ok && network.String() != want {
			t.Errorf("ParseProxy(%q) = %v, %t, want %q", text, network, ok, want)
		}
	}
}

// guarded returns a request to the control plane that is admitted if it is not changed.
func guarded(method string) *visit {
	v := newVisit(method, "/admin/reset", nil)
	v.x.R.Host = "localhost:8080"
	return v
}

var origins = Origins{AllowedHosts: []string{"petstore.test", "dotted.test."},
	Trusted: []string{"https://teacher.example"}}

// TestAuthorizeHosts checks the host names that depend on the local address of the connection,
// which is loopback in the tests over the wire.
func TestAuthorizeHosts(t *testing.T) {
	t.Parallel()
	local := net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.7:8080"))
	for _, test := range []struct {
		host  string
		local net.Addr
		known bool
	}{
		{"192.0.2.7", local, true}, {"192.0.2.7:80", local, true}, {"[::ffff:192.0.2.7]:80", local, true},
		{"[::ffff:127.0.0.1]", local, true},
		{"192.0.2.8", local, false}, {"", local, false}, {"dotted.test", local, true},
		// No address to compare with.
		{"192.0.2.7", nil, false}, {"192.0.2.7", &net.UnixAddr{Name: "192.0.2.7", Net: "unix"}, false},
	} {
		v := guarded(http.MethodPost)
		v.x.R.Host = test.host
		v.x.R = v.x.R.WithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, test.local))
		if v.through(Authorize(origins, Keys{})); test.known {
			v.expectPassed(t)
		} else if e := v.expectRefused(t, http.StatusForbidden, "forbidden"); !strings.Contains(
			e.Message, "--allowed-host") {
			t.Errorf("message = %q", e.Message)
		}
	}
}

// TestAuthorizeOwnOrigin checks that the server's own origin includes the scheme.
func TestAuthorizeOwnOrigin(t *testing.T) {
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
		if v.through(Authorize(origins, Keys{})); test.allowed {
			v.expectPassed(t)
		} else {
			v.expectRefused(t, http.StatusForbidden, "forbidden")
		}
	}
}

// FuzzForwarded parses the headers of proxies. An additional remote client is never overlooked.
func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{"for=127.0.0.1", `for="[::1]:80";proto=http, for=127.0.0.1`, "127.0.0.1, ::1",
		`for="\127.0.0.1"`, "for=unknown", ";;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
			header := http.Header{name: {value}}
			_ = forLoopback(header)
			client := "192.0.2.1"
			if name == "Forwarded" {
				client = "for=192.0.2.1"
			}
			header[name] = append(header[name], client)
			if forLoopback(header) || name != "X-Real-Ip" && forLoopback(http.Header{name: {value + ", " + client}}) {
				t.Errorf("%s: %q hides %s", name, value, client)
			}
		}
	})
}
