package field

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate with the smallest [distance] to text, or the first of several such
// candidates. Case is ignored. The distance may be at most one for every three letters of text, and
// at most three. Nearest returns false if no candidate is that close, or if text has more than 200
// bytes.
func Nearest(text string, among []string) (string, bool) {
	const longest = 200
	if len(text) > longest {
		return "", false
	}
	letters := []rune(strings.ToLower(text))
	nearest, least := "", min(len(letters)/3, 3)+1
	for _, candidate := range among {
		// The difference in length is a lower bound for the distance.
		if apart := utf8.RuneCountInString(candidate) - len(letters); max(apart, -apart) >= least {
			continue
		}
		if d := distance(letters, []rune(strings.ToLower(candidate))); d < least {
			nearest, least = candidate, d
		}
	}
	return nearest, nearest != ""
}

// Unknown formats the message for an unknown name. It suggests the [Nearest] known name or, if no
// name is near, advises leaving the unknown name out. The parameter what is the kind of name, such
// as "field" or "parameter".
func Unknown(what, name string, known []string) string {
	advice := "leave it out"
	if nearest, ok := Nearest(name, known); ok {
		advice = "did you mean " + nearest + "?"
	}
	return "there is no such " + what + "; " + advice
}

// distance returns the optimal string alignment distance: how many letters must be inserted,
// deleted, replaced or swapped with a neighbour to turn a into b.
func distance(a, b []rune) int {
	var before []int // the row before last, needed for swaps
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, replaced)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
