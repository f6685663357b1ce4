package field

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the one of among that a person who wrote text most likely
// meant, and whether there is one: the first of those that the fewest letters
// part from it (added, left out, replaced or swapped with their neighbours), at
// most one for every three letters of text and three in all. Case does not count. To a
// text of more than 200 bytes there is none.
func Nearest(text string, among []string) (string, bool) {
	const longest = 200
	if len(text) > longest {
		return "", false
	}
	letters := []rune(strings.ToLower(text))
	nearest, least := "", min(len(letters)/3, 3)+1
	for _, candidate := range among {
		// A length that is further off than the bound is told without a table, which keeps a long text cheap.
		if apart := utf8.RuneCountInString(candidate) - len(letters); max(apart, -apart) >= least {
			continue
		}
		if d := distance(letters, []rune(strings.ToLower(candidate))); d < least {
			nearest, least = candidate, d
		}
	}
	return nearest, nearest != ""
}

// Unknown says that there is none of the name of what there is, such as a field or a
// parameter, and which of those known was meant.
func Unknown(what, name string, known []string) string {
	advice := "leave it out"
	if nearest, ok := Nearest(name, known); ok {
		advice = "did you mean " + nearest + "?"
	}
	return "there is no such " + what + "; " + advice
}

// Distance returns how many letters have to be added, left out, replaced or
// swapped with their neighbours to make b of a (the optimal string alignment).
func Distance(a, b string) int { return distance([]rune(a), []rune(b)) }

func distance(a, b []rune) int {
	var before []int // two rows up, where a swap begins
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
