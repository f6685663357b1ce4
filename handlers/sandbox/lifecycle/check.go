package lifecycle

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"example.com/petstore/store/field"
)

// Complete returns l with its missing values filled in, and the problems with it. before is the
// lifecycle that a change has turned into l. If the change removes the deprecation, Complete resets
// the fields that describe the deprecation, except those that the change modified. A deprecation
// without a date gets the document's date, or else now. Dates are truncated to seconds, as in
// headers. Complete ignores l.Advice. If the successor is the document's, the advice is the
// document's too. Otherwise the advice is the successor itself.
func (o *Operation) Complete(before, l Lifecycle, now time.Time) (Lifecycle, field.Problems) {
	if before.Deprecated && !l.Deprecated {
		resetUnchanged(&l.DeprecatedSince, before.DeprecatedSince, time.Time{})
		resetUnchanged(&l.Sunset, before.Sunset, time.Time{})
		resetUnchanged(&l.Successor, before.Successor, "")
		resetUnchanged(&l.EnforceSunset, before.EnforceSunset, o.Lifecycle.EnforceSunset)
		resetUnchanged(&l.Brownout, before.Brownout, 0)
	}
	if l.Deprecated && l.DeprecatedSince.IsZero() {
		l.DeprecatedSince = o.Lifecycle.DeprecatedSince
		if l.DeprecatedSince.IsZero() {
			l.DeprecatedSince = now
		}
	}
	l.DeprecatedSince, l.Sunset = WholeSecond(l.DeprecatedSince), WholeSecond(l.Sunset)
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

// resetUnchanged sets *value to fallback if *value still equals before.
func resetUnchanged[T comparable](value *T, before, fallback T) {
	if *value == before {
		*value = fallback
	}
}

// CheckEnforced adds a problem if l, as returned by [Operation.Complete], sets EnforceSunset without
// effect. It accepts EnforceSunset in each operation that has it by default: a server that enforces
// all sunsets sets it on every operation, and the worlds that it exports contain it. It leaves
// permanent operations to Complete.
func (o *Operation) CheckEnforced(l *Lifecycle, problems *field.Problems) {
	switch {
	case !l.EnforceSunset || o.Lifecycle.EnforceSunset || o.Permanent:
	case !l.Deprecated:
		problems.Add("/enforceSunset", noEffect)
	case l.Sunset.IsZero() && len(*problems) == 0: // with problems, it may be zero because its date did not parse
		problems.Add("/enforceSunset", "has no effect without a sunset; set one too, or make this false")
	}
}

// Check returns the problems with a lifecycle that do not depend on the operation.
func (l *Lifecycle) Check() field.Problems {
	var problems field.Problems
	if !l.Deprecated {
		checkUndeprecated(l, &problems)
	}
	switch l.Stability {
	case "", Experimental, Beta, Stable:
	default:
		problems.Add("/stability", "must be experimental, beta or stable, not %s", field.Quote(string(l.Stability)))
	}
	if wrong := checkSuccessorForm(l.Successor); wrong != "" {
		problems.Add("/successor", "%s", wrong)
	}
	if !(l.Brownout >= 0 && l.Brownout <= 1) { // also rejects NaN
		problems.Add("/brownout", "must be a share from 0 to 1, not %v", l.Brownout)
	}
	for _, date := range []struct {
		name string
		day  time.Time
	}{{"/deprecatedSince", l.DeprecatedSince}, {"/sunset", l.Sunset}} {
		if wrong := checkDay(date.day); wrong != "" && !date.day.IsZero() {
			problems.Add(date.name, "%s, not %v", wrong, date.day)
		}
	}
	if l.Deprecated && !l.Sunset.IsZero() && l.Sunset.Before(l.DeprecatedSince) {
		problems.Add("/sunset",
			"%s is earlier than the deprecation on %s; an operation cannot be removed before it is deprecated (RFC "+
				"9745)",
			FormatDay(l.Sunset), FormatDay(l.DeprecatedSince))
	}
	return problems
}

const noEffect = "has no effect unless the operation is deprecated; deprecate it too, or leave this out"

// checkUndeprecated adds problems for fields that only a deprecated operation may have.
func checkUndeprecated(l *Lifecycle, problems *field.Problems) {
	for _, part := range []struct {
		name string
		set  bool
	}{
		{"/deprecatedSince", !l.DeprecatedSince.IsZero()},
		{"/sunset", !l.Sunset.IsZero()},
		{"/successor", l.Successor != ""},
		{"/brownout", l.Brownout > 0},
	} {
		if part.set {
			problems.Add(part.name, noEffect)
		}
	}
}

// successorForm matches a path with an optional query, in visible ASCII. It excludes characters
// that would end the target of a Link header or the text of a Warning.
var successorForm = regexp.MustCompile(`^/[!#-&(-;=?-\[\]-_a-~]*$`)

// maxSuccessor is the maximum length of a successor in bytes. It is low because every response of
// the operation repeats the successor.
const maxSuccessor = 1000

// checkSuccessorForm returns the message for a malformed successor, or "". A successor must be
// empty or a path of the service.
func checkSuccessorForm(successor string) string {
	if successor == "" {
		return ""
	}
	if len(successor) > maxSuccessor {
		return fmt.Sprintf("must be at most %d characters long, not %d", maxSuccessor, len(successor))
	}
	if !successorForm.MatchString(successor) || strings.HasPrefix(successor, "//") {
		return "must be a path of the service such as /pets?id={petId}, in visible " +
			"ASCII without quotes, backslashes, < and >"
	}
	return ""
}

// checkPlaceholders returns the message for a successor with invalid placeholders or escapes, or
// "". Each placeholder must be a parameter in the operation's path.
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
