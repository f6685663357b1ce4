package command

import (
	"bytes"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/internal/must"
)

func network(t *testing.T, text string) net.Addr {
	t.Helper()
	ip, n, err := net.ParseCIDR(text)
	if err != nil {
		t.Fatal(err)
	}
	n.IP = ip
	return n
}

// TestAddresses checks the addresses at which other machines reach the server.
func TestAddresses(t *testing.T) {
	t.Parallel()
	machine := []net.Addr{
		network(t, "127.0.0.1/8"), network(t, "::1/128"), network(t, "2001:db8::7/64"), network(t, "fe80::1/64"),
		network(t, "169.254.3.4/16"),
		network(t, "192.168.1.20/24"), network(t, "10.0.0.5/8"),
	}
	alone := machine[:2]
	o := &options{}
	for _, test := range []struct {
		interfaces []net.Addr
		bound      string
		want       []string
	}{
		{machine, "0.0.0.0", []string{"http://192.168.1.20:8080", "http://10.0.0.5:8080"}},
		{machine, "::", []string{"http://192.168.1.20:8080", "http://10.0.0.5:8080", "http://[2001:db8::7]:8080"}},
		{alone, "::", []string{"http://127.0.0.1:8080"}},
	} {
		got := o.addressesOf(test.interfaces, &net.TCPAddr{IP: net.ParseIP(test.bound), Port: 8080})
		must.Equal(t, test.want, got, "%s", test.bound)
	}
	if got := o.addresses(&net.TCPAddr{IP: net.ParseIP("192.168.1.20"), Port: 80}); !cmp.Equal(got,
		[]string{"http://192.168.1.20:80"}) {
		t.Errorf("of one address: %q", got)
	}
}

// TestReachable checks that addresses reachable only from this machine are left out.
func TestReachable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bound, public string
		want          []string
	}{
		{"192.168.1.20", "", []string{"http://192.168.1.20:8080"}},
		{"127.0.0.1", "", []string{}},
		{"::1", "", []string{}},
		{"127.0.0.1", "https://shop.example/petstore", []string{"https://shop.example/petstore"}},
	} {
		o := &options{}
		o.Config.PublicURL = test.public
		got := o.reachable(&net.TCPAddr{IP: net.ParseIP(test.bound), Port: 8080})
		must.Equal(t, test.want, got, "%s %s", test.bound, test.public)
	}
}

// TestAddressesArePrinted checks that the addresses are printed on a terminal, and logged elsewhere if
// other machines can reach the server.
func TestAddressesArePrinted(t *testing.T) {
	t.Parallel()
	const person = "  dashboard  http://192.168.1.20:80/\n  docs       http://192.168.1.20:80/docs/\n"
	const logged = `level=INFO msg=addresses dashboard=http://192.168.1.20:80/ docs=http://192.168.1.20:80/docs/`
	for _, test := range []struct {
		terminal, workshop bool
		format, ip, want   string
	}{
		{true, false, "text", "192.168.1.20", person},
		{true, true, "text", "192.168.1.20",
			person + "  join       http://192.168.1.20:80/join\n  workshop   http://192.168.1.20:80/workshop\n"},
		{true, false, "text", "127.0.0.1",
			"  dashboard  http://127.0.0.1:80/\n  docs       http://127.0.0.1:80/docs/\n"},
		{false, false, "text", "192.168.1.20", logged + "\n"},
		{false, true, "json", "192.168.1.20",
			logged + " join=http://192.168.1.20:80/join workshop=http://192.168.1.20:80/workshop\n"},
		{true, false, "json", "192.168.1.20", logged + "\n"},
		{false, false, "text", "127.0.0.1", ""},
		{false, true, "text", "127.0.0.1",
			"level=INFO msg=addresses dashboard=http://127.0.0.1:80/ docs=http://127.0.0.1:80/docs/ " +
				"join=http://127.0.0.1:80/join workshop=http://127.0.0.1:80/workshop\n"},
	} {
		o := &options{terminal: test.terminal, Program: config.Program{LogFormat: test.format}}
		o.Config.Workshop = test.workshop
		var out bytes.Buffer
		withoutTime := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}
		o.logAddresses(&out, slog.New(slog.NewTextHandler(&out, withoutTime)),
			&net.TCPAddr{IP: net.ParseIP(test.ip), Port: 80})
		must.Equal(t, test.want, out.String(), "%+v", test)
	}
}

// TestUnusableAddress checks that the advice fits the error: choosing another port does not
// help with an address of another machine.
func TestUnusableAddress(t *testing.T) {
	t.Parallel()
	const ofThisMachine = "this machine has no such address; choose one of its own " +
		"with --addr, or 0.0.0.0 for all of them"
	for address, want := range map[string]string{
		"192.0.2.1:80": ofThisMachine, // RFC 5737
		strings.TrimPrefix(startRun(t, nil, "--addr", "127.0.0.1:0").URL,
			"http://"): "choose another with --addr (port 0 picks a free one)",
	} {
		got := runToEnd(t, nil, "--addr", address)
		if got.Code != exitRun || got.Stdout != "" || strings.Count(got.Stderr, "\n") != 1 ||
			!strings.Contains(got.Stderr, "cannot listen on "+address) ||
			!strings.HasSuffix(got.Stderr, "; "+want+"\n") {
			t.Errorf("%s: %+v, want one line that ends with %s", address, got, want)
		}
	}
}
