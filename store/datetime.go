package store

import (
	"regexp"
	"time"
)

// ParseDateTime parses a date-time of RFC 3339, section 5.6. It reports whether
// the text is one: [time.Parse] lets an hour of one digit, a comma and an offset
// of 99 hours pass, which the RFC does not.
func ParseDateTime(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, text)
	return t, err == nil && dateTimeForm.MatchString(text)
}

var dateTimeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
