package webhook

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"example.com/petstore/store/field"
)

// FuzzSettings checks that valid settings send only to this machine and have a secret that other
// libraries accept.
func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"url": "http://127.0.0.1:3000/hook", "events": ["pet.*", "order.created"], "secret": "` + secret + `"}`))
	f.Add([]byte(`{"url": "https://app.localhost./?a=b"}`))
	f.Add([]byte(`{"url": "http://[::ffff:127.0.0.1]:1", "events": ["*"]}`))
	f.Add([]byte(`{"url": "http://127.0.0.1@example.com#", "events": [], "secret": ""}`))
	sender := NewSender(Targets{}, types, time.Now, nil)
	f.Cleanup(sender.Close)
	f.Fuzz(func(t *testing.T, body []byte) {
		if !jsontext.Value(body).IsValid() {
			return
		}
		r := field.Reading{Strict: true}
		s, ok := field.Nested(Fields)(jsontext.Value(body), &r)
		if problems := s.Check(sender); !ok || len(r.Problems)+len(problems) > 0 {
			return
		}
		u, _ := Targets{}.Check(s.URL)
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
