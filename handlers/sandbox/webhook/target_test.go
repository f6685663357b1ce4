package webhook

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/store/field"
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
		if err := targets.Check(test.url); (err == nil) != test.ok {
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
		"169.254.169.254": "it is where clouds serve the secrets of their machines",
		"fd00:ec2::254":   "it is where clouds serve the secrets of their machines",
		"169.254.1.1":     "it is a link-local address",
		"fe80::1":         "it is a link-local address",
		"0.0.0.0":         "it is the address of every interface",
		"224.0.0.1":       "it is a multicast address",
	} {
		url := "http://" + net.JoinHostPort(host, "80") + "/"
		want := field.Problem{Code: "webhook_host", Message: fmt.Sprintf("cannot be at %q: %s", host, why),
			Args: []any{host}}
		if strings.HasPrefix(why, "it is") {
			want.Args = []any{host + ", but only if you mean it: no name leads there"}
		}
		err := (Targets{Hosts: []string{"meta.example"}}).Check(url)
		must.Equal(t, want, field.ProblemOf("", err), "%s", url)
		named := Targets{Hosts: []string{"meta.example", host}}
		if err := named.Check(url); err != nil {
			t.Errorf("%s, which a flag names: %v", url, err)
		}
		if ip := net.ParseIP(host); ip != nil {
			if err := named.checkAddress(host, net.JoinHostPort(host, "80")); err != nil {
				t.Errorf("%s, which a flag names: %v", url, err)
			}
			if err := named.checkAddress("meta.example",
				net.JoinHostPort(host, "80")); (err == nil) != (host == "192.0.2.7") {
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
		if err := targets.checkAddress(test.host, net.JoinHostPort(test.ip, "80")); (err == nil) != test.ok ||
			err != nil && strings.HasSuffix(err.Error(), "it is ") {
			t.Errorf("%s, which leads to %s: %v, want it to be good: %t", test.host, test.ip, err, test.ok)
		}
	}
}

func TestMain(m *testing.M) { testmain.Run(m) }

// FuzzSettings checks that valid settings send only to this machine and have a secret that other
// libraries accept.
func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"url": "http://127.0.0.1:3000/hook", "events": ["pet.*", "order.created"], "secret": "` + secret +
		`"}`))
	f.Add([]byte(`{"url": "https://app.localhost./?a=b"}`))
	f.Add([]byte(`{"url": "http://[::ffff:127.0.0.1]:1", "events": ["*"]}`))
	f.Add([]byte(`{"url": "http://127.0.0.1@example.com#", "events": [], "secret": ""}`))
	hooks := new(Hooks)
	hooks.Init(f.Context(), NewSender(Targets{}, types, time.Now, nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		if !jsontext.Value(body).IsValid() {
			return
		}
		r := field.Reading{Strict: true}
		s, ok := field.Nested(Fields)(jsontext.Value(body), &r)
		if problems := hooks.Check(&s); !ok || len(r.Problems)+len(problems) > 0 {
			return
		}
		u, err := url.Parse(s.URL)
		if err != nil {
			t.Fatalf("%q passes, but %v", s.URL, err)
		}
		if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
			port := u.Port()
			if port == "" {
				port = "80"
			}
			if err := (Targets{}).checkAddress(u.Hostname(), net.JoinHostPort(ip.String(), port)); err != nil {
				t.Errorf("%q passes, but %v", s.URL, err)
			}
		}
		for _, e := range s.Events {
			found := false
			for _, typ := range types {
				found = found || wants(s.Events, typ)
			}
			if !found {
				t.Errorf("no event is %q", e)
			}
		}
		if s.Secret != "" {
			if _, err := standardwebhooks.NewWebhook(s.Secret); err != nil {
				t.Errorf("the secret passes, but %v", err)
			}
		}
	})
}

// A secret that tests use.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func keyFor(t interface {
	Helper()
	Fatal(...any)
}, secret string) []byte {
	t.Helper()
	return must.Get(keyOf(secret))(t)
}

// TestReferenceSignature signs the message that the libraries of Standard Webhooks use in
// their tests.
func TestReferenceSignature(t *testing.T) {
	t.Parallel()
	got := sign(keyFor(t, secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("sign() = %s, want %s", got, want)
	}
}

// TestReferenceLibraryVerifies checks that the library of Standard Webhooks accepts every signed message, and
// rejects it if one byte differs.
func TestReferenceLibraryVerifies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), leastSecret, mostSecret).Draw(t, "key")
		text := secretPrefix + base64.StdEncoding.EncodeToString(key)
		id := rapid.StringMatching(`msg_[A-Z2-7]{26}`).Draw(t, "id")
		payload := rapid.SliceOf(rapid.Byte()).Draw(t, "payload")
		at := time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "at"), 0)
		theirs := must.Get(standardwebhooks.NewWebhook(text))(t)
		header := http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {seconds(at)},
			"Webhook-Signature": {sign(keyFor(t, text), id, at, payload)}}
		if err := theirs.VerifyIgnoringTimestamp(payload, header); err != nil {
			t.Fatalf("the signed message is rejected: %v", err)
		}
		if len(payload) > 0 {
			payload[rapid.IntRange(0, len(payload)-1).Draw(t, "changed")] ^= 1
			if err := theirs.VerifyIgnoringTimestamp(payload, header); err == nil {
				t.Fatal("a changed message is verified")
			}
		}
	})
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	if a, b := makeSecret(), makeSecret(); a == b || len(keyFor(t, a)) != madeSecret {
		t.Errorf("made secrets: %s, %s", a, b)
	}
	of := func(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }
	for _, text := range []string{
		"", "whsec_", of(32), "WHSEC_" + of(32), "whsec_" + of(leastSecret-1), "whsec_" + of(mostSecret+1),
		"whsec_" + of(32) + "!", "whsec_" + strings.TrimRight(of(32), "="), "whsec_\n" + of(32),
		"whsec_" + strings.ReplaceAll(of(32), "A", "_"),
	} {
		if key, err := keyOf(text); err == nil {
			t.Errorf("%q stands for %d bytes", text, len(key))
		} else if len(text) > 10 && strings.Contains(err.Error(), text) {
			t.Errorf("the error contains %q", text)
		}
	}
	for _, n := range []int{leastSecret, mostSecret} {
		if got := len(keyFor(t, "whsec_"+of(n))); got != n {
			t.Errorf("a secret of %d bytes has %d", n, got)
		}
	}
}
