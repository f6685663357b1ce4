package sandbox

import (
	"time"

	"example.com/petstore/store/field"
)

// ParseDay parses a date, which means its first instant in UTC, or a date-time of RFC 3339. If the
// text is neither, wrong says what it must be; otherwise wrong is empty.
func ParseDay(text string) (day time.Time, wrong string) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		var ok bool
		if day, ok = field.ParseDateTime(text); !ok {
			return time.Time{}, "must be a date such as 2026-01-31 or a date and time such as 2026-01-31T09:30:00Z (RFC 3339)"
		}
	}
	if day = wholeSecond(day); day.IsZero() {
		return day, outOfYears // the zero time means no day in a Lifecycle
	}
	return day, checkDay(day)
}

const outOfYears = "must be in the years 1 to 9999 in UTC"

// checkDay returns what is wrong with a day, or "".
func checkDay(day time.Time) string {
	if year := day.UTC().Year(); year < 1 || year > 9999 {
		return outOfYears
	}
	return ""
}

// FormatDay formats midnight in UTC as a date, any other time as a date-time, and the zero time as
// "".
func FormatDay(day time.Time) string {
	switch {
	case day.IsZero():
		return ""
	case day.Equal(day.Truncate(24 * time.Hour)):
		return day.UTC().Format(time.DateOnly)
	}
	return day.UTC().Format(time.RFC3339)
}

// wholeSecond truncates a time to the precision of HTTP headers.
func wholeSecond(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
