package field

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// ParseInteger reads an integer of 64 bits as JSON writes one: -?(0|[1-9][0-9]*).
// Where the text is none, wrong says what it must be; else it is empty.
func ParseInteger(text string) (n int64, wrong string) {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case isInteger(text) && err == nil:
		return n, ""
	case isInteger(text):
		return 0, fmt.Sprintf("must be from %d to %d", math.MinInt64, math.MaxInt64)
	case !numberForm().MatchString(text):
		return 0, "must be an integer such as 7"
	case strings.ContainsAny(text, ".eE"):
		return 0, "must be an integer, written without a fraction or exponent"
	}
	return 0, "must be an integer, written without a plus sign or leading zeros"
}

// ParseIntegerWithin is ParseInteger for an integer from least to most.
func ParseIntegerWithin(text string, least, most int64) (n int64, wrong string) {
	n, wrong = ParseInteger(text)
	switch {
	case !isInteger(text), wrong == "" && least <= n && n <= most:
		return n, wrong
	case most == math.MaxInt64 && least > math.MinInt64 && (wrong == "" || text[0] == '-'):
		return 0, fmt.Sprintf("must be at least %d", least)
	}
	return 0, fmt.Sprintf("must be from %d to %d", least, most)
}

// ShowInteger returns a text that is no integer of those that are wanted as a message shows
// it: in quotes unless it is an integer.
func ShowInteger(text string) string {
	if isInteger(text) {
		return Abbreviate(text)
	}
	return Quote(text)
}

func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits == "0" || digits != "" && digits[0] != '0' && strings.Trim(digits, "0123456789") == ""
}

// numberForm is what a reader takes for a number, though it may be no integer of ours.
var numberForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`) })
