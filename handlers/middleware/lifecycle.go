package middleware

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store/field"
)

// Lifecycle makes every answer of an operation, errors too, say what the
// operation says about its age.
func Lifecycle() rest.Link {
	var documented sync.Map // *rest.Operation to its *announcement, since nearly all requests need one of these
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Operation.ID == "" {
				return next(x)
			}
			x.Lifecycle = &x.Operation.Lifecycle
			if x.Sandbox != nil { // else it says what the document does
				if changed := x.Sandbox.Lifecycles.Changed(x.Operation.ID); changed != nil {
					x.Lifecycle = changed
					newAnnouncement(x.Operation.ID, changed).send(x)
					return next(x)
				}
			}
			a, ok := documented.Load(x.Operation)
			if !ok {
				a, _ = documented.LoadOrStore(x.Operation, newAnnouncement(x.Operation.ID, x.Lifecycle))
			}
			a.(*announcement).send(x)
			return next(x)
		}
	}
}

// announcement is a lifecycle as the values of headers: Deprecation (RFC 9745),
// Sunset (RFC 8594), Warning (RFC 7234; obsolete since RFC 9111, but shown by many
// clients) and X-Stability. What there is nothing to say of is nil. It is never
// changed, and so shared by answers.
type announcement struct {
	deprecated                     bool
	stability, deprecation, sunset []string
	warnings                       [removed + 1][]string
}

// phase is how far an operation is on its way out.
type phase int

const (
	leaving phase = iota // the sunset, if there is one, has not come
	overdue              // it has come, and is not enforced
	removed              // it has come, and is
)

// phaseOf returns the phase by the clock of the sandbox, and by the machine's where
// there is none.
func phaseOf(x *rest.Exchange, l *sandbox.Lifecycle) phase {
	if l.Sunset.IsZero() {
		return leaving
	}
	now := sandbox.Machine
	if x.Sandbox != nil {
		now = x.Sandbox.Clock.Now
	}
	switch {
	case !l.Past(now()):
		return leaving
	case l.EnforceSunset:
		return removed
	}
	return overdue
}

func newAnnouncement(id string, l *sandbox.Lifecycle) *announcement {
	a := &announcement{deprecated: l.Deprecated}
	if l.Stability != "" {
		a.stability = []string{string(l.Stability)}
	}
	if !l.Deprecated {
		return a
	}
	a.deprecation = []string{"@" + strconv.FormatInt(l.DeprecatedSince.Unix(), 10)}
	if !l.Sunset.IsZero() {
		a.sunset = []string{l.Sunset.UTC().Format(http.TimeFormat)}
	}
	for p := range a.warnings {
		a.warnings[p] = []string{`299 - "` + warning(id, l, phase(p)) + `"`}
	}
	return a
}

// send sets the headers, and Link (RFC 8288), which depends on the request.
func (a *announcement) send(x *rest.Exchange) {
	header := x.W.Header()
	if a.stability != nil {
		header["X-Stability"] = a.stability
	}
	if !a.deprecated {
		return
	}
	header["Deprecation"] = a.deprecation
	if a.sunset != nil {
		header["Sunset"] = a.sunset
	}
	warning := a.warnings[phaseOf(x, x.Lifecycle)]
	if strings.Contains(x.Lifecycle.Advice, "{") {
		warning = []string{filled(x, warning[0])}
	}
	header["Warning"] = warning
	link := "<" + x.URL("/docs/#/") + x.Operation.Tag + "/" + x.Operation.ID + `>; rel="deprecation"`
	if successor := successor(x, x.Lifecycle); successor != "" {
		link += ", <" + successor + `>; rel="successor-version"`
	}
	x.SetHeader("Link", link)
}

// successor returns the request to make instead.
func successor(x *rest.Exchange, l *sandbox.Lifecycle) string {
	if l.Successor == "" {
		return ""
	}
	return x.URL(x.Mount + filled(x, l.Successor))
}

// filled returns a successor with the path parameters of the request filled in.
func filled(x *rest.Exchange, successor string) string {
	path, query, asks := strings.Cut(successor, "?")
	for name, value := range x.Params {
		value = field.Abbreviate(value) // what is longer names nothing
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		query = strings.ReplaceAll(query, "{"+name+"}", url.QueryEscape(value))
	}
	if asks {
		path += "?" + query
	}
	return path
}

// warning says in words what the lifecycle is in the phase.
func warning(id string, l *sandbox.Lifecycle, p phase) string {
	text := fmt.Sprintf("%s is deprecated since %s", id, l.DeprecatedSince.UTC().Format(time.DateOnly))
	if !l.Sunset.IsZero() {
		text += [...]string{leaving: " and will be removed on ", overdue: " and was to be removed on ", removed: " and was removed on "}[p] +
			l.Sunset.UTC().Format(time.DateOnly)
	}
	if l.Advice != "" {
		text += "; use " + l.Advice
	}
	return text
}

// Sunset answers 410 for an operation whose sunset has come, where that is
// enforced, and for the share of calls that a brown-out takes before. A brown-out
// is answered without Retry-After: it shows clients what will be, and one that is
// told to try again would sit it out.
func Sunset() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			l := x.Lifecycle
			if l == nil || !l.Deprecated || !x.Operation.TakesFaults() {
				return next(x)
			}
			if l.Gone(x.Sandbox.Clock.Now()) {
				return gone(x, x.Operation.ID+" has been gone since "+l.Sunset.UTC().Format(time.DateOnly))
			}
			if l.Brownout > 0 {
				draws := x.Draws.ForBrownout()
				if draws.Float64() < l.Brownout {
					return gone(x, brownedOut(x.Operation.ID, l))
				}
			}
			return next(x)
		}
	}
}

func brownedOut(id string, l *sandbox.Lifecycle) string {
	if l.Sunset.IsZero() {
		return id + " is deprecated and browned out: some of its calls are refused"
	}
	return id + " is browned out: some of its calls are refused ahead of the sunset on " + l.Sunset.UTC().Format(time.DateOnly)
}

func gone(x *rest.Exchange, message string) error {
	if to := successor(x, x.Lifecycle); to != "" {
		message += "; use " + to + " instead"
	}
	return rest.Refuse("operation_sunset", message)
}
