package lifecycle

import (
	"time"

	"example.com/petstore/store/field"
)

// ParseDay parses an RFC 3339 date-time, which it truncates to seconds, or a date, for which it
// returns the start of that day in UTC. If text is invalid, wrong describes valid texts. Otherwise
// wrong is empty.
func ParseDay(text string) (day time.Time, wrong string) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		var ok bool
		if day, ok = field.ParseDateTime(text); !ok {
			return time.Time{},
				"must be a date such as 2026-01-31 or a date and time such as 2026-01-31T09:30:00Z (RFC 3339)"
		}
	}
	if day = wholeSecond(day); day.IsZero() {
		return day, outOfYears // in a Lifecycle, the zero time means no date
	}
	return day, checkDay(day)
}

const outOfYears = "must be in the years 1 to 9999 in UTC"

// checkDay returns the message for a time that is out of range, or "".
func checkDay(day time.Time) string {
	if year := day.UTC().Year(); year < 1 || year > 9999 {
		return outOfYears
	}
	return ""
}

// FormatDay formats midnight UTC as a date, any other time as a date-time, and the zero time as "".
func FormatDay(day time.Time) string {
	switch {
	case day.IsZero():
		return ""
	case day.Equal(day.Truncate(24 * time.Hour)):
		return day.UTC().Format(time.DateOnly)
	}
	return day.UTC().Format(time.RFC3339)
}

// wholeSecond truncates a time to seconds, the precision of HTTP headers.
func wholeSecond(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
