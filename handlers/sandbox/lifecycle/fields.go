package lifecycle

import (
	"cmp"
	"time"

	"example.com/petstore/store/field"
)

// Change is a lifecycle as read from JSON. A nil field means the document's value. An empty sunset
// or successor means that there is none.
type Change struct {
	deprecated      *bool
	deprecatedSince *string
	sunset          *string
	successor       *string
	stability       *Stability
	enforceSunset   *bool
	brownout        *float64
}

// Fields are the fields of a [Change].
var Fields = field.Fields[Change]{
	field.Pointer("deprecated", func(c *Change) **bool { return &c.deprecated }, field.Boolean),
	field.Pointer("deprecatedSince", func(c *Change) **string { return &c.deprecatedSince }, field.AnyText),
	field.Pointer("sunset", func(c *Change) **string { return &c.sunset }, field.AnyText),
	field.Pointer("successor", func(c *Change) **string { return &c.successor }, field.AnyText),
	field.Pointer("stability", func(c *Change) **Stability { return &c.stability }, field.AnyText),
	field.Pointer("enforceSunset", func(c *Change) **bool { return &c.enforceSunset }, field.Boolean),
	field.Pointer("brownout", func(c *Change) **float64 { return &c.brownout }, field.Number),
}

// PatchOf returns the change that sets every field to its value in l, except that it leaves out a
// zero DeprecatedSince. The caller then reads a merge patch into the change: fields that the patch
// omits keep their values, and null restores the document's value.
func PatchOf(l Lifecycle) Change {
	since, sunset, stability := FormatDay(l.DeprecatedSince), FormatDay(l.Sunset), cmp.Or(l.Stability, Stable)
	change := Change{
		deprecated: &l.Deprecated, sunset: &sunset, successor: &l.Successor, stability: &stability,
		enforceSunset: &l.EnforceSunset, brownout: &l.Brownout,
	}
	if since != "" {
		change.deprecatedSince = &since
	}
	return change
}

// Apply returns the operation's lifecycle after the change, and its problems. before is the
// lifecycle given to [PatchOf], or the zero Lifecycle.
func (c *Change) Apply(op *Operation, before Lifecycle, now time.Time) (Lifecycle, field.Problems) {
	l, problems := c.applyTo(op.Lifecycle)
	l, more := op.Complete(before, l, now)
	return l, append(problems, more...)
}

// Check returns the problems with the change that do not depend on the operation. It treats the
// operation as deprecated.
func (c *Change) Check() field.Problems {
	l, problems := c.applyTo(Lifecycle{})
	l.Deprecated = true
	return append(problems, l.Check()...)
}

// applyTo returns l with the change applied, and a problem for each malformed value.
func (c *Change) applyTo(l Lifecycle) (Lifecycle, field.Problems) {
	var problems field.Problems
	date := func(at, text string) time.Time {
		day, wrong := ParseDay(text)
		if wrong != "" {
			problems.Add(at, "%s, not %s", wrong, field.Quote(text))
			return time.Time{}
		}
		return day
	}
	set(&l.Deprecated, c.deprecated)
	if !l.Deprecated { // discard the document's deprecation
		l = Lifecycle{Stability: l.Stability, EnforceSunset: l.EnforceSunset}
	}
	set(&l.EnforceSunset, c.enforceSunset)
	set(&l.Brownout, c.brownout)
	set(&l.Successor, c.successor)
	set(&l.Stability, c.stability)
	if c.deprecatedSince != nil {
		l.DeprecatedSince = date("/deprecatedSince", *c.deprecatedSince)
	}
	unknown := len(problems) > 0
	if c.sunset != nil {
		l.Sunset = time.Time{}
		if *c.sunset != "" {
			l.Sunset = date("/sunset", *c.sunset)
		}
	}
	if unknown {
		l.DeprecatedSince = l.Sunset // deprecatedSince did not parse; this date causes no other problem
	}
	if c.stability != nil && *c.stability == "" {
		problems.Add("/stability", `must be experimental, beta or stable, not ""`)
	}
	return l, problems
}

// set sets *to to *given, unless given is nil.
func set[T any](to *T, given *T) {
	if given != nil {
		*to = *given
	}
}

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
	day = WholeSecond(day)
	return day, checkDay(day)
}

// FirstYear is the first year of dates and clocks. The zero time, which is in the year before, means
// no date.
const FirstYear = 2

// checkDay returns the message for a time that is out of range, or "".
func checkDay(day time.Time) string {
	if year := day.UTC().Year(); year < FirstYear || year > 9999 {
		return "must be in the years 2 to 9999 in UTC"
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

// WholeSecond converts a time to UTC and truncates it to seconds, the precision of HTTP headers.
func WholeSecond(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
