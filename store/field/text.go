package field

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ParseInteger parses an integer from low to high in the form that JSON requires:
// -?(0|[1-9][0-9]*). If text is malformed or out of range, wrong describes valid values; otherwise
// wrong is empty.
func ParseInteger(text string, low, high int64) (n int64, wrong string) {
	if isInteger(text) {
		n, err := strconv.ParseInt(text, 10, 64) // returns an error only for a number out of range
		switch {
		case err == nil && low <= n && n <= high:
			return n, ""
		case high == math.MaxInt64 && low > math.MinInt64 && (err == nil || text[0] == '-'):
			return 0, fmt.Sprintf("must be at least %d", low)
		}
		return 0, fmt.Sprintf("must be from %d to %d", low, high)
	}
	switch {
	case !numberForm().MatchString(text):
		return 0, "must be an integer such as 7"
	case strings.ContainsAny(text, ".eE"):
		return 0, "must be an integer, written without a fraction or exponent"
	}
	return 0, "must be an integer, written without a plus sign or leading zeros"
}

// ShowInteger formats a rejected integer for a message. It quotes text that is not an integer.
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

// numberForm matches decimal numbers, including forms that JSON does not allow.
var numberForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`)
})

// ParseDateTime parses a date-time as defined in RFC 3339, section 5.6, and reports whether text is
// valid. T and Z may be in either case. A leap second is accepted if it is 23:59:60 in UTC. As in
// POSIX, it equals the following second.
func ParseDateTime(text string) (time.Time, bool) {
	if !dateTimeForm().MatchString(text) {
		return time.Time{}, false
	}
	text = strings.ToUpper(text)
	const second = len("2006-01-02T15:04:")
	leap := text[second:second+2] == "60"
	if leap {
		text = text[:second] + "59" + text[second+2:]
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, false
	}
	if leap {
		t = t.Add(time.Second)
		hour, minute, _ := t.UTC().Clock()
		return t, hour == 0 && minute == 0
	}
	return t, true
}

// dateTimeForm matches only the form that RFC 3339 defines. [time.Parse] also accepts an hour of one
// digit, a comma before the fraction, and the offsets +24:00 and +23:60.
var dateTimeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
})
