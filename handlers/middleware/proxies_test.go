package middleware

import (
	"net/http"
	"testing"
)

// TestClientBehindProxies covers two networks of trusted proxies.
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
		{"IPv6 with a port", proxy, xff("[2001:db8::1]:80"), "2001:db8::1"},
		{"IPv4 with a port", proxy, xff("198.51.100.7:80"), "198.51.100.7"},
		{"mapped IPv4", proxy, xff("::ffff:198.51.100.7"), "198.51.100.7"},
		{"no address", proxy, xff("198.51.100.7, unknown"), "10.0.0.1"},
		{"no address further left", proxy, xff("unknown, 198.51.100.7"), "198.51.100.7"},
		{"no address behind a second proxy", proxy, xff("198.51.100.7, unknown, 10.9.9.9"), "10.9.9.9"},
		{"nothing behind a comma", proxy, xff("198.51.100.7,"), "10.0.0.1"},
		{"an address with a zone", proxy, xff("fe80::1%eth0"), "10.0.0.1"},
		{"an empty line", proxy, xff(""), "10.0.0.1"},

		{"Forwarded", proxy, forwarded("for=198.51.100.7"), "198.51.100.7"},
		{"Forwarded with all pairs", proxy, forwarded(`By=10.0.0.1;For="[2001:db8::1]:4711";proto=http;host="shop.example:80"`), "2001:db8::1"},
		{"Forwarded by two proxies", proxy, forwarded("for=203.0.113.9, for=198.51.100.7", "for=10.9.9.9"), "198.51.100.7"},
		{"Forwarded, hidden", proxy, forwarded("for=198.51.100.7, for=_hidden"), "10.0.0.1"},
		{"Forwarded for nothing", proxy, forwarded("for=198.51.100.7, proto=http"), "10.0.0.1"},
		{"Forwarded, an open quote of the client", proxy, forwarded(`for="203.0.113.9, for=198.51.100.7`), "198.51.100.7"},
		{"Forwarded, a host of the client", proxy, forwarded(`for=198.51.100.7;host="x,for=203.0.113.9;a=";by="[2001:db8::1]"`), "10.0.0.1"},

		{"both", proxy, header{"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=198.51.100.7"}}, "198.51.100.7"},
		{"one extended and one handed on", proxy, header{"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=203.0.113.9"}}, "10.0.0.1"},
		{"the other extended", proxy, header{"X-Forwarded-For": {"203.0.113.9"}, "Forwarded": {"for=198.51.100.7"}}, "10.0.0.1"},
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
			if got, want := Proxies(nil).Client(r), Proxies(nil).Client(&http.Request{RemoteAddr: test.peer}); got != want {
				t.Errorf("without proxies client = %s, want %s", got, want)
			}
		})
	}
}

func TestParseProxy(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10.0.0.0/8": "10.0.0.0/8", "10.1.2.3/8": "10.0.0.0/8", "127.0.0.1": "127.0.0.1/32", "::1": "::1/128", "2001:db8::/32": "2001:db8::/32",
		"::ffff:10.0.0.1": "10.0.0.1/32", "0.0.0.0/0": "0.0.0.0/0",
		"": "", "localhost": "", "10.0.0.0/33": "", "10.0.0/8": "", "fe80::1%eth0": "", "::ffff:10.0.0.0/104": "", "*": "", "127.0.0.1:80": "",
	} {
		network, ok := ParseProxy(text)
		if ok != (want != "") || ok && network.String() != want {
			t.Errorf("ParseProxy(%q) = %v, %t, want %q", text, network, ok, want)
		}
	}
}
