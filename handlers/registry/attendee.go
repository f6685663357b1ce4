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

// maxAttendee is the most characters of an attendee's name in the sandbox's name.
const maxAttendee = 48

// CheckAttendee validates the name of an attendee.
func CheckAttendee(name string) (problems field.Problems) {
	if wrong := field.CheckText(name, 0, sandbox.MaxTitle); wrong != "" {
		problems.Add("/name", "%s", wrong)
	}
	return problems
}

// AttendeeName returns the name of an attendee's sandbox. Its title is the result of [displayed],
// or empty if nothing of that is visible or it cannot name a sandbox. The canonical name can be
// dictated and typed: the name's Latin letters, in lower case and without diacritics, and its
// digits, separated by single hyphens. Without any of those it is "guest".
func AttendeeName(text string) sandbox.Name {
	title := displayed(text)
	plain := strings.Map(withoutMark, norm.NFKD.String(strings.ToLower(title)))
	name := strings.Trim(between.ReplaceAllString(undivided.Replace(plain), "-"), "-")
	if _, err := sandbox.ParseName(title); err != nil || !strings.ContainsFunc(title, shows) {
		title = ""
	}
	return sandbox.Name{Canonical: cmp.Or(strings.TrimRight(name[:min(len(name), maxAttendee)], "-"), "guest"), Title: title}
}

// displayed normalizes a name so that names that look alike are equal and none affects the text
// around it: composed (Unicode, UAX #15), without extra spaces, control characters, invisible
// characters and changes of direction (UAX #9). It keeps the two characters that join and separate
// letters in some scripts.
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

// shows reports whether a character that [displayed] keeps is visible.
func shows(r rune) bool {
	return !unicode.In(r, unicode.Z, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) && r != blankBraille
}

// between matches what separates letters and digits.
var between = regexp.MustCompile(`[^a-z0-9]+`)

// undivided replaces the Latin letters that do not decompose into an ASCII letter and a mark
// (Unicode, UAX #15).
var undivided = strings.NewReplacer("æ", "ae", "ð", "d", "đ", "d", "ħ", "h", "ı", "i", "ł", "l", "ŋ", "n", "ø", "o", "œ", "oe", "ß", "ss", "þ", "th", "ŧ", "t", "ə", "e")

// withoutMark drops diacritics.
func withoutMark(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}
