package sandbox

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Stability says how far an operation's contract can be relied on. The empty
// Stability is stable.
type Stability string

// The stabilities that an operation can announce, by the words that GitBook and
// other documentation tools read from x-stability.
const (
	Experimental Stability = "experimental"
	Beta         Stability = "beta"
)

// Lifecycle is what one operation says about its own age. Headers, documents,
// logs and enforcement are all derived from it. The zero Lifecycle is a stable
// operation that is there to stay. A Lifecycle that a sandbox holds is never
// changed in place.
type Lifecycle struct {
	Stability Stability

	// Deprecated marks the operation, since the time given (RFC 9745), which may
	// lie in the future.
	Deprecated      bool
	DeprecatedSince time.Time

	// Sunset is when the operation goes away (RFC 8594); zero: not planned.
	Sunset time.Time
	// Successor is the request to make instead: a path with query in which
	// {name} stands for the path parameter of the same name; empty: none.
	Successor string
	// Advice is the successor in words, for the end of a warning.
	Advice string

	// Brownout is the share of calls, from 0 to 1, that are answered 410 although
	// the sunset has not come.
	Brownout float64

	// EnforceSunset makes the operation answer 410 once the sunset has come.
	EnforceSunset bool
}

// Check returns an error when the dates cannot be: RFC 9745, section 4, forbids
// a sunset that is earlier than the deprecation.
func (l *Lifecycle) Check() error {
	if l.Sunset.IsZero() {
		return nil
	}
	if !l.Deprecated {
		return errors.New("an operation that has a sunset must be deprecated")
	}
	if l.Sunset.Before(l.DeprecatedSince) {
		return fmt.Errorf("the sunset %s is earlier than the deprecation %s; an operation cannot go away before it is deprecated (RFC 9745)",
			l.Sunset.Format(time.DateOnly), l.DeprecatedSince.Format(time.DateOnly))
	}
	return nil
}

// successorForm is a path with query in visible ASCII, without what would end the
// target of a Link header or the text of a Warning.
var successorForm = regexp.MustCompile(`^/[!#-&(-;=?-\[\]-_a-~]*$`)

// CheckSuccessor returns an error when the text cannot be the successor of the
// operation: it is a path of the service with {name} for what is a parameter of
// the operation's own path. The empty text is none.
func (o *Operation) CheckSuccessor(successor string) error {
	if successor == "" {
		return nil
	}
	if !successorForm.MatchString(successor) || strings.HasPrefix(successor, "//") {
		return errors.New("must be a path of the service such as /pets?id={petId}, in visible ASCII without quotes, backslashes, < and >")
	}
	outside := successor
	for _, placeholder := range placeholders.FindAllString(o.Path, -1) {
		outside = strings.ReplaceAll(outside, placeholder, "1")
	}
	if strings.ContainsAny(outside, "{}") {
		return fmt.Errorf("must have no other {name} in it than the parameters of %s", o.Path)
	}
	if _, err := url.PathUnescape(outside); err != nil {
		return errors.New("does not parse; write % as %25")
	}
	return nil
}

var placeholders = regexp.MustCompile(`\{[^{}]*\}`)

// Gone reports whether the sunset has come and is enforced. On the very instant
// of the sunset the operation is past it.
func (l *Lifecycle) Gone(now time.Time) bool {
	return l.EnforceSunset && !l.Sunset.IsZero() && !now.Before(l.Sunset)
}
