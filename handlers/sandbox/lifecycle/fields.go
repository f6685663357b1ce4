package lifecycle

import (
	"cmp"
	"time"

	"example.com/petstore/store/field"
)

// Change is a lifecycle in JSON. A nil field means the document's value. An empty sunset or
// successor means that there is none.
type Change struct {
	Deprecated      *bool      `json:"deprecated,omitzero"`
	DeprecatedSince *string    `json:"deprecatedSince,omitzero"`
	Sunset          *string    `json:"sunset,omitzero"`
	Successor       *string    `json:"successor,omitzero"`
	Stability       *Stability `json:"stability,omitzero"`
	EnforceSunset   *bool      `json:"enforceSunset,omitzero"`
	Brownout        *float64   `json:"brownout,omitzero"`
}

// Fields are the fields of a [Change].
var Fields = field.Fields[Change]{
	field.Pointer("deprecated", func(c *Change) **bool { return &c.Deprecated }, field.Boolean),
	field.Pointer("deprecatedSince", func(c *Change) **string { return &c.DeprecatedSince }, field.AnyText),
	field.Pointer("sunset", func(c *Change) **string { return &c.Sunset }, field.AnyText),
	field.Pointer("successor", func(c *Change) **string { return &c.Successor }, field.AnyText),
	field.Pointer("stability", func(c *Change) **Stability { return &c.Stability }, field.AnyText),
	field.Pointer("enforceSunset", func(c *Change) **bool { return &c.EnforceSunset }, field.Boolean),
	field.Pointer("brownout", func(c *Change) **float64 { return &c.Brownout }, field.Number),
}

// PatchOf returns the change that sets every field to its value in l, except that it leaves out a
// zero DeprecatedSince. The caller then reads a merge patch into the change: fields that the patch
// omits keep their values, and null restores the document's value.
func PatchOf(l Lifecycle) Change {
	since, sunset, stability := FormatDay(l.DeprecatedSince), FormatDay(l.Sunset), cmp.Or(l.Stability, Stable)
	change := Change{
		Deprecated: &l.Deprecated, Sunset: &sunset, Successor: &l.Successor, Stability: &stability,
		EnforceSunset: &l.EnforceSunset, Brownout: &l.Brownout,
	}
	if since != "" {
		change.DeprecatedSince = &since
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
	set(&l.Deprecated, c.Deprecated)
	if !l.Deprecated { // discard the document's deprecation
		l = Lifecycle{Stability: l.Stability, EnforceSunset: l.EnforceSunset}
	}
	set(&l.EnforceSunset, c.EnforceSunset)
	set(&l.Brownout, c.Brownout)
	set(&l.Successor, c.Successor)
	set(&l.Stability, c.Stability)
	if c.DeprecatedSince != nil {
		l.DeprecatedSince = date("/deprecatedSince", *c.DeprecatedSince)
	}
	unknown := len(problems) > 0
	if c.Sunset != nil {
		l.Sunset = time.Time{}
		if *c.Sunset != "" {
			l.Sunset = date("/sunset", *c.Sunset)
		}
	}
	if unknown {
		l.DeprecatedSince = l.Sunset // deprecatedSince did not parse; this date causes no other problem
	}
	if c.Stability != nil && *c.Stability == "" {
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
