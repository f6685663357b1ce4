package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/petstore/store/field"
)

// Default is the name of the sandbox that always exists.
const Default = "default"

// MaxTitle is the maximum length of a sandbox's title, in characters.
const MaxTitle = 200

// MaxCanonical is the maximum length of a canonical name, in characters.
const MaxCanonical = 63

// Errors for invalid names.
var (
	ErrBadName = field.Refusal("invalid_parameter",
		`cannot name a sandbox; a name has 1 to 200 characters in UTF-8, no control characters, and is not "*", "." or ".." alone`)
	ErrBadSnapshotName = field.Refusal("invalid_parameter",
		`is not a valid name; a name has 1 to 63 characters from a-z, 0-9, ".", "_" and "-", and begins with a letter or a digit`)
)

// Name is the name of a sandbox.
type Name struct {
	Canonical string `json:"name,omitzero"`  // equal for all texts that name the same sandbox; see [ValidName]
	Title     string `json:"title,omitzero"` // the text itself
}

// ParseName returns the name for a text. If the text is a [ValidName], it is its own canonical
// form. Otherwise the canonical form ends with twelve hexadecimal digits of the text's SHA-256. If
// the text has a readable part, that part and a hyphen precede the digits. ParseName rejects "."
// and "..", because URL parsers remove them from paths (RFC 3986, section 5.2.4). The error wraps
// [ErrBadName].
func ParseName(text string) (Name, error) {
	if ValidName(text) {
		return Name{text, text}, nil
	}
	length := utf8.RuneCountInString(text)
	if length < 1 || length > MaxTitle || text == "*" || text == "." || text == ".." || !utf8.ValidString(text) ||
		strings.ContainsFunc(text, unicode.IsControl) {
		return Name{}, fmt.Errorf("%s %w", field.Quote(text), ErrBadName)
	}
	readable := strings.Map(readableRune, text)
	readable = strings.Trim(readable[:min(len(readable), MaxCanonical-len("-")-digits)], "._-")
	if readable == "" {
		return Name{hash(text), text}, nil
	}
	return Name{readable + "-" + hash(text), text}, nil
}

// digits is the number of SHA-256 digits in a canonical name. They distinguish texts with the same
// readable part.
const digits = 12

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:digits/2])
}

var controls = regexp.MustCompile(`\p{Cc}+`)

// TitleOf turns any text except "" into one that [ParseName] accepts. It returns an acceptable or
// empty text unchanged. In any other text, it replaces each run of control characters with a space.
// It then truncates the text and appends twelve digits of the original text's SHA-256. The clients
// in .release/npm and testdata/recipes follow the same rule, so the title of any test can name a
// sandbox. Over HTTP, unacceptable names are rejected.
func TitleOf(text string) string {
	if _, err := ParseName(text); err == nil || text == "" {
		return text
	}
	readable := []rune(controls.ReplaceAllString(text, " "))
	return string(readable[:min(len(readable), MaxTitle-len(" ")-digits)]) + " " + hash(text)
}

func readableRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r - 'A' + 'a'
	case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '_':
		return r
	}
	return '-'
}

// ValidName reports whether the text is a canonical sandbox name, which is also the form of a
// snapshot's name: [a-z0-9][a-z0-9._-]{0,62}.
func ValidName(name string) bool {
	const characters = "abcdefghijklmnopqrstuvwxyz0123456789._-"
	return name != "" && len(name) <= MaxCanonical && strings.IndexByte("._-", name[0]) < 0 &&
		strings.Trim(name, characters) == ""
}

// Clone returns a copy that shares no memory with n. A substring of a header would keep the whole
// request in memory.
func (n Name) Clone() Name {
	canonical := strings.Clone(n.Canonical)
	if n.Title == n.Canonical {
		return Name{canonical, canonical}
	}
	return Name{canonical, strings.Clone(n.Title)}
}
