package sandbox

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxAttendee is how many characters of an attendee's name are kept in that of the sandbox.
const maxAttendee = 48

// AttendeeName returns what the sandbox of an attendee is called. Its title is the name as
// it was typed, without control characters and needless spaces; it is empty where that names
// no sandbox. The
// canonical name can be told and typed: the Latin letters, in lower case and without their
// diacritics, and the digits, with one "-" for all that stands between them, or "guest"
// where there are none.
func AttendeeName(text string) Name {
	title := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	plain := strings.Map(withoutMark, norm.NFKD.String(strings.ToLower(title)))
	name := strings.Trim(between.ReplaceAllString(undivided.Replace(plain), "-"), "-")
	if _, err := ParseName(title); err != nil {
		title = ""
	}
	return Name{cmp.Or(strings.TrimRight(name[:min(len(name), maxAttendee)], "-"), "guest"), title}
}

// between is what stands between letters and digits.
var between = regexp.MustCompile(`[^a-z0-9]+`)

// undivided are the Latin letters that are no letter of ASCII with a mark (Unicode, UAX #15),
// as they are written without them.
var undivided = strings.NewReplacer("æ", "ae", "ð", "d", "đ", "d", "ħ", "h", "ı", "i", "ł", "l", "ŋ", "n", "ø", "o", "œ", "oe", "ß", "ss", "þ", "th", "ŧ", "t", "ə", "e")

// withoutMark drops the marks that stand above and below letters.
func withoutMark(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}
