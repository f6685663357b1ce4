package sandbox

import "time"

// Stability says how stable an operation's contract is. The empty
// Stability is stable.
type Stability string

// The stabilities that an operation can announce, by the words that GitBook and
// other documentation tools read from x-stability. Stable is another word for the
// empty one, which [Operation.Complete] makes of it.
const (
	Experimental Stability = "experimental"
	Beta         Stability = "beta"
	Stable       Stability = "stable"
)

// Lifecycle is the deprecation, sunset and stability of one operation. Headers,
// documents, logs and enforcement are all derived from it. The zero Lifecycle is a
// stable operation that is not deprecated. A Lifecycle that a sandbox holds is never
// changed in place.
type Lifecycle struct {
	Stability Stability

	// Deprecated marks the operation as deprecated since the given time (RFC 9745),
	// which may be in the future.
	Deprecated      bool
	DeprecatedSince time.Time

	// Sunset is when the operation is removed (RFC 8594); zero: not planned.
	Sunset time.Time
	// Successor is the request to make instead: a path with query in which
	// {name} stands for the path parameter of the same name; empty: none.
	Successor string
	// Advice is the successor in words, for the end of a warning. It may hold the
	// same placeholders.
	Advice string

	// Brownout is the share of calls, from 0 to 1, that get a 410 before the sunset.
	Brownout float64

	// EnforceSunset makes the operation return 410 from the sunset on.
	EnforceSunset bool
}

// Gone reports whether the sunset has come and is enforced. On the very instant
// of the sunset the operation is past it.
func (l *Lifecycle) Gone(now time.Time) bool { return l.EnforceSunset && l.Past(now) }

// Past reports whether the sunset has come, enforced or not.
func (l *Lifecycle) Past(now time.Time) bool { return !l.Sunset.IsZero() && !now.Before(l.Sunset) }

// same reports whether both say the same, in headers and documents.
func (l Lifecycle) same(other Lifecycle) bool {
	if !wholeSecond(l.DeprecatedSince).Equal(wholeSecond(other.DeprecatedSince)) || !wholeSecond(l.Sunset).Equal(wholeSecond(other.Sunset)) {
		return false
	}
	l.DeprecatedSince, l.Sunset = other.DeprecatedSince, other.Sunset
	return l == other
}
