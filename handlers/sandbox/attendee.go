package sandbox

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"example.com/petstore/store/field"
)

// maxAttendee is how many characters of an attendee's name are kept in that of the sandbox.
const maxAttendee = 48

// CheckAttendee returns everything that is wrong with the name of an attendee who joins.
func CheckAttendee(name string) (problems field.Problems) {
	if wrong := field.CheckText(name, 0, maxTitle); wrong != "" {
		problems.Add("/name", "%s", wrong)
	}
	return problems
}

// AttendeeName returns what the sandbox of an attendee is called. Its title is the name as
// [displayed] has it; it is empty where nothing of that is to be seen, or it names no sandbox. The
// canonical name can be told and typed: the Latin letters, in lower case and without their
// diacritics, and the digits, with one "-" for all that stands between them, or "guest"
// where there are none.
func AttendeeName(text string) Name {
	title := displayed(text)
	plain := strings.Map(withoutMark, norm.NFKD.String(strings.ToLower(title)))
	name := strings.Trim(between.ReplaceAllString(undivided.Replace(plain), "-"), "-")
	if _, err := ParseName(title); err != nil || !strings.ContainsFunc(title, shows) {
		title = ""
	}
	return Name{cmp.Or(strings.TrimRight(name[:min(len(name), maxAttendee)], "-"), "guest"), title}
}

// displayed returns a name such that two which look alike are the same, and none changes the text
// around it: composed (Unicode, UAX #15), without needless spaces, without control characters,
// and without those that show nothing or turn the direction (UAX #9), save the two that join
// and part the letters of some scripts.
func displayed(name string) string {
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

// shows reports whether there is something to be seen of a character that [displayed] leaves.
func shows(r rune) bool {
	return !unicode.In(r, unicode.Z, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) && r != blankBraille
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
