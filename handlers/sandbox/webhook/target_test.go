package webhook

import (
	"github.com/google/go-cmp/cmp"

	"example.com/petstore/store/field"
	"fmt"
	"net"
	"strings"
	"testing"
)

func TestTargets(t *testing.T) {
	t.Parallel()
	targets := Targets{Hosts: []string{"hooks.example", "Dotted.Example.", "192.0.2.7", "2001:db8::7", "169.254.1.1"}}
	for _, test := range []struct {
		url string
		ok  bool
	}{
		{"http://127.0.0.1:3000/hook", true},
		{"https://127.8.9.10", true},
		{"http://localhost/hook?a=b", true},
		{"http://LOCALHOST:1/", true},
		{"http://app.localhost.:3000/", true},
		{"http://[::1]:3000/", true},
		{"http://[::ffff:127.0.0.1]/", true},
		{"http://hooks.example/", true},
		{"https://HOOKS.EXAMPLE.:8443/", true},
		{"http://dotted.example/", true},
		{"http://192.0.2.7/", true},
		{"http://[2001:db8::7]:80/", true},
		{"http://169.254.1.1/", true},

		{"http://example.com/", false},
		{"http://10.0.0.1/", false},
		{"http://0.0.0.0/", false},
		{"http://[::]/", false},
		{"http://169.254.169.254/latest", false},
		{"http://127.0.0.1.example.com/", false},
		{"http://localhost.example.com/", false},
		{"http://notlocalhost/", false},
		{"http://2130706433/", false},
		{"http://0x7f.0.0.1/", false},
		{"http://127.1/", false},
		{"http://sub.hooks.example/", false},
		{"http://hooks.example@10.0.0.1/", false},
		{"http://user@127.0.0.1/", false},
		{"http://user:password@127.0.0.1/", false},
		{"http://127.0.0.1/#part", false},
		{"http://127.0.0.1/#", false},
		{"http://127.0.0.1:0/", false},
		{"http://127.0.0.1:/", false},
		{"http://127.0.0.1:65536/", false},
		{"http://127.0.0.1:x/", false},
		{"ftp://127.0.0.1/", false},
		{"file:///etc/passwd", false},
		{"unix:/run/docker.sock", false},
		{"http:127.0.0.1", false},
		{"//127.0.0.1/", false},
		{"/hook", false},
		{"http:///hook", false},
		{"http://[fe80::1%25eth0]/", false},
		{"http://127.0.0.1\n/", false},
		{"%", false},
	} {
		u, err := targets.Check(test.url)
		if ok := err == nil; ok != test.ok || ok != (u != nil) {
			t.Errorf("%q: %v, want it to be good: %t", test.url, err, test.ok)
		}
	}
}

// TestAdviceForTargets checks the advice in the refusal of an address: with the named flag the
// address is accepted, and a name that resolves to it is not.
func TestAdviceForTargets(t *testing.T) {
	t.Parallel()
	for host, why := range map[string]string{
		"hooks.example":   "webhooks send to this machine only, by a loopback address or localhost",
		"192.0.2.7":       "webhooks send to this machine only, by a loopback address or localhost",
		"169.254.169.254": "it is where a cloud tells its machines their secrets",
		"fd00:ec2::254":   "it is where a cloud tells its machines their secrets",
		"169.254.1.1":     "it is a link-local address",
		"fe80::1":         "it is a link-local address",
		"0.0.0.0":         "it is the address of every interface",
		"224.0.0.1":       "it is a multicast address",
	} {
		url := "http://" + net.JoinHostPort(host, "80") + "/"
		want := field.Problem{Code: "webhook_host", Message: fmt.Sprintf("cannot be at %q: %s", host, why), Args: []any{host}}
		if strings.HasPrefix(why, "it is") {
			want.Args = []any{host + ", but only if you mean it: no name leads there"}
		}
		_, err := (Targets{Hosts: []string{"meta.example"}}).Check(url)
		if diff := cmp.Diff(want, field.ProblemOf("", err)); diff != "" {
			t.Errorf("%s, -want +got:\n%s", url, diff)
		}
		named := Targets{Hosts: []string{"meta.example", host}}
		if _, err := named.Check(url); err != nil {
			t.Errorf("%s, which a flag names: %v", url, err)
		}
		if ip := net.ParseIP(host); ip != nil {
			if err := named.checkAddress(host, net.JoinHostPort(host, "80")); err != nil {
				t.Errorf("%s, which a flag names: %v", url, err)
			}
			if err := named.checkAddress("meta.example", net.JoinHostPort(host, "80")); (err == nil) != (host == "192.0.2.7") {
				t.Errorf("a name that leads to %s: %v", host, err)
			}
		}
	}
}

// TestAddresses checks the addresses that a name resolves to when the connection is made.
func TestAddresses(t *testing.T) {
	t.Parallel()
	targets := Targets{Hosts: []string{"hooks.example", "192.0.2.7", "169.254.1.1"}}
	for _, test := range []struct {
		host, ip string
		ok       bool
	}{
		{"localhost", "127.0.0.1", true},
		{"localhost", "::1", true},
		{"localhost", "::ffff:127.0.0.1", true},
		{"localhost", "192.0.2.1", false},
		{"127.0.0.1", "169.254.169.254", false},
		{"hooks.example", "192.0.2.1", true},
		{"hooks.example", "10.0.0.1", true},
		{"hooks.example", "127.0.0.1", true},
		{"hooks.example", "169.254.169.254", false},
		{"hooks.example", "::ffff:169.254.169.254", false},
		{"hooks.example", "fe80::1", false},
		{"hooks.example", "fd00:ec2::254", false},
		{"hooks.example", "fd00:ec2::255", true},
		{"hooks.example", "0.0.0.0", false},
		{"hooks.example", "::", false},
		{"hooks.example", "224.0.0.1", false},
		{"169.254.1.1", "169.254.1.1", true},
		{"169.254.1.1", "169.254.169.254", false},
		{"other.example", "192.0.2.7", false},
	} {
		if err := targets.checkAddress(test.host, net.JoinHostPort(test.ip, "80")); (err == nil) != test.ok {
			t.Errorf("%s, which leads to %s: %v, want it to be good: %t", test.host, test.ip, err, test.ok)
		}
	}
}
