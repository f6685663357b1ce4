package sandbox

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"example.com/petstore/store/field"
)

// Complete returns l completed for the operation, and what is wrong with it. A deprecation without
// a date gets the document's date, or else now. Dates are truncated to seconds, as in headers.
// l.Advice is ignored: if the successor is the document's, so is the advice; otherwise the advice
// is the successor.
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

// Merge is Complete for a lifecycle that was changed in part. If the deprecation is removed, its
// description is removed too, as far as it is unchanged.
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

// drop sets a value to a default if it is still as before.
func drop[T comparable](value *T, before, to T) {
	if *value == before {
		*value = to
	}
}

// CheckEnforced adds a problem if the complete lifecycle enforces a sunset that does not exist.
// [Operation.Complete] accepts that, because a server that enforces all sunsets says so for every
// operation, and so do its worlds.
func (o *Operation) CheckEnforced(l *Lifecycle, problems *field.Problems) {
	switch {
	case !l.EnforceSunset || o.Lifecycle.EnforceSunset || o.Permanent:
	case !l.Deprecated:
		problems.Add("/enforceSunset", noEffect)
	case l.Sunset.IsZero() && len(*problems) == 0: // otherwise the sunset may be an invalid date
		problems.Add("/enforceSunset", "has no effect without a sunset; set one too, or make this false")
	}
}

// Check returns what is wrong with the lifecycle of any operation.
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
	if !(l.Brownout >= 0 && l.Brownout <= 1) { // also refuses NaN
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

// undeprecated adds problems for fields that only a deprecated operation may have.
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

// successorForm matches a path with query in visible ASCII, without characters that would end the
// target of a Link header or the text of a Warning.
var successorForm = regexp.MustCompile(`^/[!#-&(-;=?-\[\]-_a-~]*$`)

// longestSuccessor bounds the successor in bytes, because every response of the operation repeats
// it.
const longestSuccessor = 1000

// checkSuccessorForm returns what is wrong with the form of a successor, which must be a path of
// the service, or "". An empty successor is valid.
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

// checkPlaceholders returns what is wrong with the placeholders of a successor, which must be
// parameters of the operation's own path, or "".
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
