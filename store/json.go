package store

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Records encode their own JSON, byte for byte as their struct tags describe it. Nearly every
// response is a record or a list of them, and an encoder that uses reflection takes several times
// as long. Invalid UTF-8, which no stored record has, becomes U+FFFD.

func appendInt(b []byte, name string, n int64) []byte {
	return strconv.AppendInt(append(b, name...), n, 10)
}

func appendText(b []byte, name, text string) []byte {
	b, _ = jsontext.AppendQuote(append(b, name...), text) // the error reports only invalid UTF-8, which is U+FFFD now
	return b
}
