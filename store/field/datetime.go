package field

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

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
