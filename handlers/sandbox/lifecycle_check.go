package sandbox

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"example.com/petstore/store/field"
)

// Complete returns the lifecycle that the operation has when it is given l, and
// everything that is wrong with it. A deprecation without a date is as old as the
// document has it, else since now. Dates count in whole seconds, as in headers. The
// advice of l does not count: it is the document's as long as the successor is, else
// the successor.
func (o *Operation) Complete(l Lifecycle, now time.Time) (Lifecycle, field.Problems) {
	if l.Deprecated && l.DeprecatedSince.IsZero() {
		l.DeprecatedSince = o.Lifecycle.DeprecatedSince
		if l.DeprecatedSince.IsZero() {
			l.DeprecatedSince = now
		}
	}
	l.DeprecatedSince, l.Sunset = wholeSecond(l.DeprecatedSince), wholeSecond(l.Sunset)
	if l.Stability == Stable {
		l.Stability = ""
	}
	l.Advice = l.Successor
	if l.Successor == o.Lifecycle.Successor {
		l.Advice = o.Lifecycle.Advice
	}
	problems := l.Check()
	if wrong := o.checkPlaceholders(l.Successor); wrong != "" && checkSuccessorForm(l.Successor) == "" {
		problems.Add("/successor", "%s", wrong)
	}
	const permanent = "cannot be set: health checks rely on this operation, so it never returns 410; leave it out"
	if o.Permanent && l.EnforceSunset {
		problems.Add("/enforceSunset", permanent)
	}
	if o.Permanent && l.Brownout > 0 {
		problems.Add("/brownout", permanent)
	}
	return l, problems
}

// Merge is Complete for a lifecycle that was changed in part. With the deprecation goes what
// describes it, as far as the change has kept that.
func (o *Operation) Merge(before, l Lifecycle, now time.Time) (Lifecycle, field.Problems) {
	if before.Deprecated && !l.Deprecated {
		drop(&l.DeprecatedSince, before.DeprecatedSince, time.Time{})
		drop(&l.Sunset, before.Sunset, time.Time{})
		drop(&l.Successor, before.Successor, "")
		drop(&l.EnforceSunset, before.EnforceSunset, o.Lifecycle.EnforceSunset)
		drop(&l.Brownout, before.Brownout, 0)
	}
	return o.Complete(l, now)
}

// drop makes what is still as before the default.
func drop[T comparable](value *T, before, to T) {
	if *value == before {
		*value = to
	}
}

// CheckEnforced adds what is wrong with the operation's lifecycle, once it is complete, where
// somebody asks for the enforcement of a sunset that there is none of. A server that enforces
// them all says so of each operation, and so do its worlds, which are read elsewhere too: that
// is why [Operation.Complete] takes it.
func (o *Operation) CheckEnforced(l *Lifecycle, problems *field.Problems) {
	switch {
	case !l.EnforceSunset || o.Lifecycle.EnforceSunset || o.Permanent:
	case !l.Deprecated:
		problems.Add("/enforceSunset", noEffect)
	case l.Sunset.IsZero() && len(*problems) == 0: // else it may be one that is no date
		problems.Add("/enforceSunset", "has no effect without a sunset; set one too, or make this false")
	}
}

// Check returns everything that is wrong with the lifecycle, whatever the operation.
func (l *Lifecycle) Check() field.Problems {
	var problems field.Problems
	if !l.Deprecated {
		undeprecated(l, &problems)
	}
	switch l.Stability {
	case "", Experimental, Beta, Stable:
	default:
		problems.Add("/stability", "must be experimental, beta or stable, not %s", field.Quote(string(l.Stability)))
	}
	if wrong := checkSuccessorForm(l.Successor); wrong != "" {
		problems.Add("/successor", "%s", wrong)
	}
	if !(l.Brownout >= 0 && l.Brownout <= 1) { // NaN is neither
		problems.Add("/brownout", "must be a share from 0 to 1, not %v", l.Brownout)
	}
	for _, date := range []struct {
		name string
		day  time.Time
	}{{"/deprecatedSince", l.DeprecatedSince}, {"/sunset", l.Sunset}} {
		if wrong := checkDay(date.day); wrong != "" {
			problems.Add(date.name, "%s, not %v", wrong, date.day)
		}
	}
	if l.Deprecated && !l.Sunset.IsZero() && l.Sunset.Before(l.DeprecatedSince) {
		problems.Add("/sunset", "%s is earlier than the deprecation on %s; an operation cannot be removed before it is deprecated (RFC 9745)",
			FormatDay(l.Sunset), FormatDay(l.DeprecatedSince))
	}
	return problems
}

const noEffect = "has no effect unless the operation is deprecated; deprecate it too, or leave this out"

// undeprecated refuses what an operation says that is not deprecated.
func undeprecated(l *Lifecycle, problems *field.Problems) {
	for _, part := range []struct {
		name string
		says bool
	}{
		{"/deprecatedSince", !l.DeprecatedSince.IsZero()},
		{"/sunset", !l.Sunset.IsZero()},
		{"/successor", l.Successor != ""},
		{"/brownout", l.Brownout > 0},
	} {
		if part.says {
			problems.Add(part.name, noEffect)
		}
	}
}

// successorForm is a path with query in visible ASCII, without what would end the
// target of a Link header or the text of a Warning.
var successorForm = regexp.MustCompile(`^/[!#-&(-;=?-\[\]-_a-~]*$`)

// longestSuccessor is in bytes: every answer of the operation repeats a successor.
const longestSuccessor = 1000

// checkSuccessorForm returns what is wrong with a successor whatever the operation, or
// empty: it is a path of the service. The empty text is none.
func checkSuccessorForm(successor string) string {
	if successor == "" {
		return ""
	}
	if len(successor) > longestSuccessor {
		return fmt.Sprintf("must be at most %d characters long, not %d", longestSuccessor, len(successor))
	}
	if !successorForm.MatchString(successor) || strings.HasPrefix(successor, "//") {
		return "must be a path of the service such as /pets?id={petId}, in visible ASCII without quotes, backslashes, < and >"
	}
	return ""
}

// checkPlaceholders returns what is wrong with the successor of the operation besides its
// form, or empty: it has {name} for what is a parameter of the operation's own path.
func (o *Operation) checkPlaceholders(successor string) string {
	outside := successor
	for _, placeholder := range placeholders.FindAllString(o.Path, -1) {
		outside = strings.ReplaceAll(outside, placeholder, "1")
	}
	if strings.ContainsAny(outside, "{}") {
		return fmt.Sprintf("can have no {name} except the parameters of %s", o.Path)
	}
	if _, err := url.PathUnescape(outside); err != nil {
		return "does not parse; write % as %25"
	}
	return ""
}

var placeholders = regexp.MustCompile(`\{[^{}]*\}`)
