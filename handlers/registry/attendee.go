package registry

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// maxAttendee is the maximum length, in characters, of the part of a sandbox's name that comes from
// an attendee's name.
const maxAttendee = 48

// CheckAttendee validates the name of an attendee.
func CheckAttendee(name *string) (problems field.Problems) {
	if wrong := field.CheckText(*name, 0, sandbox.MaxTitle); wrong != "" {
		problems.Add("/name", "%s", wrong)
	}
	return problems
}

// AttendeeName returns the name of an attendee's sandbox. The title is the attendee's name as
// [normalize] returns it, or "" if that has no visible character or is not a valid title. The
// canonical name is easy to say and to type. It consists of the digits and Latin letters of the
// attendee's name, in lower case and without diacritics; a single hyphen replaces each run of other
// characters between them. It has at most [maxAttendee] characters. If there are no digits and no
// Latin letters, the canonical name is "guest".
func AttendeeName(text string) sandbox.Name {
	title := normalize(text)
	plain := strings.Map(dropMark, norm.NFKD.String(strings.ToLower(title)))
	name := strings.Trim(separators.ReplaceAllString(undecomposed.Replace(plain), "-"), "-")
	if _, err := sandbox.ParseName(title); err != nil || !strings.ContainsFunc(title, visible) {
		title = ""
	}
	return sandbox.Name{Canonical: cmp.Or(strings.TrimRight(name[:min(len(name), maxAttendee)], "-"), "guest"),
		Title: title}
}

// normalize removes most invisible differences between names, and changes of direction (UAX #9),
// which would affect the text around a name. It composes characters (Unicode, UAX #15), replaces
// each run of spaces and control characters with one space, trims the ends, and removes format
// characters (category Cf) other than the zero-width joiner and non-joiner, which some scripts
// need.
func normalize(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) && r != zeroWidthJoiner && r != zeroWidthNonJoiner {
			return -1
		}
		return r
	}, name)
	words := strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return norm.NFC.String(strings.Join(words, " "))
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	blankBraille       = '\u2800'
)

// visible reports whether a character that [normalize] keeps is visible.
func visible(r rune) bool {
	return !unicode.In(r, unicode.Z, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point) && r != blankBraille
}

// separators matches runs of characters that a canonical name cannot have.
var separators = regexp.MustCompile(`[^a-z0-9]+`)

// undecomposed replaces, with ASCII letters, the Latin letters for which Unicode has no
// decomposition (UAX #15).
var undecomposed = strings.NewReplacer("æ", "ae", "ð", "d", "đ", "d", "ħ", "h", "ı", "i", "ł", "l", "ŋ", "n", "ø", "o",
	"œ", "oe", "ß", "ss", "þ", "th", "ŧ", "t", "ə", "e")

// dropMark drops diacritics, for [strings.Map].
func dropMark(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}
