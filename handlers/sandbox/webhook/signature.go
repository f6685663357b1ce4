package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A secret is secretPrefix followed by a key in base64. The key has from leastSecret to mostSecret
// bytes. A generated key has madeSecret bytes.
const (
	secretPrefix = "whsec_"
	leastSecret  = 24
	mostSecret   = 64
	madeSecret   = 32
)

// signatureVersion denotes HMAC-SHA256 in a signature.
const signatureVersion = "v1,"

// makeSecret generates a random secret.
func makeSecret() string {
	key := make([]byte, madeSecret)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// keyOf returns the key in a secret. The error does not contain the secret.
func keyOf(secret string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(secret, secretPrefix)
	key, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(key) < leastSecret || len(key) > mostSecret || strings.ContainsAny(encoded, "\r\n") {
		return nil,
			fmt.Errorf("must be %s and %d to %d bytes in base64, for example from: printf %s; openssl rand -base64 %d",
				secretPrefix, leastSecret, mostSecret, secretPrefix, madeSecret)
	}
	return key, nil
}

// sign returns the signature of a message. It signs the id, the time of the try and the payload,
// separated by dots.
func sign(key []byte, id string, at time.Time, payload []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, seconds(at), payload)
	return signatureVersion + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func seconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
