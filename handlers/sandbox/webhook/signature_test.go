package webhook

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"pgregory.net/rapid"
)

// A secret that tests use.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func keyFor(t interface {
	Helper()
	Fatal(...any)
}, secret string) []byte {
	t.Helper()
	key, err := keyOf(secret)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestSignatureOfTheSpecification signs the message that the libraries of Standard Webhooks use in
// their tests.
func TestSignatureOfTheSpecification(t *testing.T) {
	t.Parallel()
	got := sign(keyFor(t, secret), "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("sign() = %s, want %s", got, want)
	}
}

// TestOthersVerify checks that the library of Standard Webhooks accepts every signed message, and
// rejects it if one byte differs.
func TestOthersVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), leastSecret, mostSecret).Draw(t, "key")
		text := secretPrefix + base64.StdEncoding.EncodeToString(key)
		id := rapid.StringMatching(`msg_[A-Z2-7]{26}`).Draw(t, "id")
		payload := rapid.SliceOf(rapid.Byte()).Draw(t, "payload")
		at := time.Unix(rapid.Int64Range(0, 1<<40).Draw(t, "at"), 0)
		theirs, err := standardwebhooks.NewWebhook(text)
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{"Webhook-Id": {id}, "Webhook-Timestamp": {seconds(at)}, "Webhook-Signature": {sign(keyFor(t, text), id, at, payload)}}
		if err := theirs.VerifyIgnoringTimestamp(payload, header); err != nil {
			t.Fatalf("what was signed: %v", err)
		}
		if len(payload) > 0 {
			payload[rapid.IntRange(0, len(payload)-1).Draw(t, "changed")] ^= 1
			if err := theirs.VerifyIgnoringTimestamp(payload, header); err == nil {
				t.Fatal("what was changed is verified")
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
		"whsec_" + of(32) + "!", "whsec_" + strings.TrimRight(of(32), "="), "whsec_\n" + of(32), "whsec_" + strings.ReplaceAll(of(32), "A", "_"),
	} {
		if key, err := keyOf(text); err == nil {
			t.Errorf("%q stands for %d bytes", text, len(key))
		} else if len(text) > 10 && strings.Contains(err.Error(), text) {
			t.Errorf("%q is told", text)
		}
	}
	for _, n := range []int{leastSecret, mostSecret} {
		if got := len(keyFor(t, "whsec_"+of(n))); got != n {
			t.Errorf("a secret of %d bytes has %d", n, got)
		}
	}
}
