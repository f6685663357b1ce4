package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/petstore/store/field"
)

// maxTitle is how many characters the text that names a sandbox may have.
const maxTitle = 200

// maxCanonical is how many characters a canonical name may have.
const maxCanonical = 63

// What cannot be a name.
var (
	ErrBadName         = errors.New(`cannot name a sandbox; a name has 1 to 200 characters in UTF-8, no control characters, and is not "*", "." or ".." alone`)
	ErrBadSnapshotName = errors.New(`is not a valid name; a name has 1 to 63 characters from a-z, 0-9, ".", "_" and "-", and begins with a letter or a digit`)
)

// Name is what a sandbox is called.
type Name struct {
	Canonical string // the same for every text that names the sandbox; see [ValidName]
	Title     string // the text
}

// ParseName returns the name that a text stands for. Its canonical form is the text
// itself where that is a [ValidName], else what of it is readable and twelve digits of
// its SHA-256, which tell it from other texts. "." and ".." name none: as a segment of a
// path they are folded away by whoever parses the address (RFC 3986, section 5.2.4). The
// error is [ErrBadName].
func ParseName(text string) (Name, error) {
	if ValidName(text) {
		return Name{text, text}, nil
	}
	length := utf8.RuneCountInString(text)
	if length < 1 || length > maxTitle || text == "*" || text == "." || text == ".." || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return Name{}, fmt.Errorf("%s %w", field.Quote(text), ErrBadName)
	}
	readable := strings.Map(readableRune, text)
	readable = strings.Trim(readable[:min(len(readable), maxCanonical-len("-")-digits)], "._-")
	if readable == "" {
		return Name{hash(text), text}, nil
	}
	return Name{readable + "-" + hash(text), text}, nil
}

// digits is how many digits of a SHA-256 tell a text from others that look the same.
const digits = 12

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:digits/2])
}

var controls = regexp.MustCompile(`\p{Cc}+`)

// TitleOf returns the text itself if [ParseName] takes it, or if it is empty. Otherwise it
// returns what ParseName takes, and what is as different from others: control characters are
// replaced by spaces, what is too long is cut off, and twelve digits of the SHA-256 of the
// text follow. The clients in .release/npm and testdata/recipes have the same rule, so that
// each title of a test names a sandbox; over HTTP such a name is refused, not guessed.
func TitleOf(text string) string {
	if _, err := ParseName(text); err == nil || text == "" {
		return text
	}
	readable := []rune(controls.ReplaceAllString(text, " "))
	return string(readable[:min(len(readable), maxTitle-len(" ")-digits)]) + " " + hash(text)
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

// ValidName reports whether the text is the canonical name of a sandbox, or can be the
// name of a snapshot: [a-z0-9][a-z0-9._-]{0,62}.
func ValidName(name string) bool {
	if len(name) < 1 || len(name) > maxCanonical || strings.IndexByte("._-", name[0]) >= 0 {
		return false
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// clone returns the name in memory of its own: a header's value, say, is a part of the
// whole request's.
func (n Name) clone() Name {
	canonical := strings.Clone(n.Canonical)
	if n.Title == n.Canonical {
		return Name{canonical, canonical}
	}
	return Name{canonical, strings.Clone(n.Title)}
}
