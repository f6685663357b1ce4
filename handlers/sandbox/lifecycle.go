package sandbox

import "time"

// Stability is the stability of an operation's contract. The empty Stability is stable.
type Stability string

// The stabilities, in the words that GitBook and other documentation tools read from x-stability.
// [Operation.Complete] replaces Stable by the empty one.
const (
	Experimental Stability = "experimental"
	Beta         Stability = "beta"
	Stable       Stability = "stable"
)

// Lifecycle is the deprecation, sunset and stability of one operation. Headers, documents, logs and
// enforcement are derived from it. The zero Lifecycle is a stable operation that is not deprecated.
// A Lifecycle in a sandbox never changes in place.
type Lifecycle struct {
	Stability Stability

	// Deprecated marks the operation as deprecated since DeprecatedSince (RFC 9745), which may be
	// in the future.
	Deprecated      bool
	DeprecatedSince time.Time

	// Sunset is the time of the operation's removal (RFC 8594). Zero means that none is planned.
	Sunset time.Time
	// Successor is the request to make instead: a path with query, in which {name} stands for the
	// path parameter of that name. It may be empty.
	Successor string
	// Advice describes the successor at the end of a warning. It may contain the same placeholders.
	Advice string

	// Brownout is the share of calls, from 0 to 1, that get a 410 before the sunset.
	Brownout float64

	// EnforceSunset makes the operation return 410 after the sunset.
	EnforceSunset bool
}

// Past reports whether the sunset has passed, enforced or not. The instant of the sunset itself
// counts as passed.
func (l *Lifecycle) Past(now time.Time) bool { return !l.Sunset.IsZero() && !now.Before(l.Sunset) }

// same reports whether both lead to equal headers and documents.
func (l Lifecycle) same(other Lifecycle) bool {
	if !wholeSecond(l.DeprecatedSince).Equal(wholeSecond(other.DeprecatedSince)) || !wholeSecond(l.Sunset).Equal(wholeSecond(other.Sunset)) {
		return false
	}
	l.DeprecatedSince, l.Sunset = other.DeprecatedSince, other.Sunset
	return l == other
}
