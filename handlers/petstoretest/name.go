package petstoretest

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"example.com/petstore/handlers/sandbox"
)

// sandboxName returns the name of the sandbox that a text stands for: the text
// itself where it can be one, else what of it is readable and a hash that tells it
// from other texts.
func sandboxName(text string) string {
	if sandbox.ValidName(text) {
		return text
	}
	const longest, digits = 63, 12
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:digits/2])
	readable := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, text)
	readable = readable[:min(len(readable), longest-len("-")-digits)]
	readable = strings.Trim(readable, "._-")
	if readable == "" {
		return hash
	}
	return readable + "-" + hash
}
