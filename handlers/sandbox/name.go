package sandbox

import (
	"crypto/rand"
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

// maxTitle is the most characters of a text that names a sandbox.
const maxTitle = 200

// maxCanonical is the most characters of a canonical name.
const maxCanonical = 63

// Errors of names.
var (
	ErrBadName         = errors.New(`cannot name a sandbox; a name has 1 to 200 characters in UTF-8, no control characters, and is not "*", "." or ".." alone`)
	ErrBadSnapshotName = errors.New(`is not a valid name; a name has 1 to 63 characters from a-z, 0-9, ".", "_" and "-", and begins with a letter or a digit`)
)

// Name is the name of a sandbox.
type Name struct {
	Canonical string // equal for every text that names the sandbox; see [ValidName]
	Title     string // the text itself
}

// ParseName returns the name for a text. If the text is a [ValidName], it is its own canonical
// form. Otherwise the canonical form is the readable part of the text and twelve digits of its
// SHA-256. "." and ".." are refused, because URL parsers remove them from paths (RFC 3986, section
// 5.2.4). The error is [ErrBadName].
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

// digits is the number of SHA-256 digits in a canonical name, which distinguish texts with the same
// readable part.
const digits = 12

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:digits/2])
}

var controls = regexp.MustCompile(`\p{Cc}+`)

// TitleOf returns a text that [ParseName] accepts. It returns an acceptable or empty text
// unchanged. In others it replaces control characters by spaces, cuts the text to length, and
// appends twelve digits of its SHA-256. The clients in .release/npm and testdata/recipes have the
// same rule, so that every title of a test names a sandbox; over HTTP, such a name is refused.
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

// ValidName reports whether the text is a canonical name of a sandbox, or can name a snapshot:
// [a-z0-9][a-z0-9._-]{0,62}.
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

// clone copies the strings, because the value of a header keeps the whole request in memory.
func (n Name) clone() Name {
	canonical := strings.Clone(n.Canonical)
	if n.Title == n.Canonical {
		return Name{canonical, canonical}
	}
	return Name{canonical, strings.Clone(n.Title)}
}

// Shard is the name of one of several replicas behind one address. The canonical names of its
// sandboxes end in a dot and the shard, so a balancer finds the replica from the name. The empty
// Shard has all sandboxes.
type Shard string

var shards = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,30}$`)

// ValidShard reports whether the text can be a shard: [a-z0-9][a-z0-9-]{0,30}.
func ValidShard(text string) bool { return shards.MatchString(text) }

// ErrShard reports a sandbox name that belongs to another replica or to none.
var ErrShard = errors.New("is not on this replica")

// Check returns [ErrShard], with advice, unless the name belongs to this shard.
func (s Shard) Check(name Name) error {
	if s == "" || strings.HasSuffix(name.Canonical, "."+string(s)) {
		return nil
	}
	i := strings.LastIndexByte(name.Canonical, '.')
	if i > 0 && ValidShard(name.Canonical[i+1:]) && name.Canonical == name.Title {
		return fmt.Errorf("the sandbox %q %w, %s, but on %s; send the request through the balancer, "+
			"and if it came from there, there is no such replica", name.Canonical, ErrShard, s, name.Canonical[i+1:])
	}
	return fmt.Errorf("the sandbox %q %w, %s, as its name does not end in the name of a replica; get one at /join or "+
		"with POST /admin/sandboxes, and name it in the path, as /sandboxes/ada.%[3]s", name.Canonical, ErrShard, s)
}

// parse is [ParseName] for the name of a sandbox on this shard. The error may also be [ErrShard].
func (s Shard) parse(text string) (Name, error) {
	name, err := ParseName(text)
	if err != nil {
		return Name{}, err
	}
	return name, s.Check(name)
}

// assign returns the shard's canonical name that starts with the text, truncated to leave room for
// the suffix. The text must have only characters of a canonical name.
func (s Shard) assign(text, suffix string) string {
	if s != "" {
		suffix += "." + string(s)
	}
	return strings.TrimRight(text[:min(len(text), maxCanonical-len(suffix))], "._-") + suffix
}

// assignLocked returns an unused name that starts with the text. On a shard it has a random part,
// so that a replica that has lost its sandboxes does not assign a name again. Otherwise it has a
// number if the text is taken.
func (r *Registry) assignLocked(text string) string {
	suffix := ""
	for n := 2; ; n++ {
		if r.options.Shard != "" {
			suffix = "-" + strings.ToLower(rand.Text()[:8])
		}
		if name := r.options.Shard.assign(text, suffix); r.sandboxes[name] == nil {
			return name
		}
		suffix = fmt.Sprintf("-%d", n)
	}
}

// AnyName returns an unused name that cannot be guessed.
func (r *Registry) AnyName() string {
	return r.options.Shard.assign(strings.ToLower(rand.Text()[:16]), "")
}
