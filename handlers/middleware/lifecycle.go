package middleware

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// Lifecycle sets the lifecycle headers on every response of an operation, including errors.
func Lifecycle(op *rest.Operation, next rest.Handler) rest.Handler {
	if op.ID == "" {
		return next
	}
	initial := newAnnouncement(op.ID, &op.Lifecycle)
	return func(x *rest.Exchange) error {
		x.Lifecycle = &op.Lifecycle
		announced := initial
		if x.Sandbox != nil { // without a sandbox, the initial lifecycle applies
			if changed := x.Sandbox.Lifecycles.Changed(op.ID); changed != nil {
				x.Lifecycle, announced = changed, newAnnouncement(op.ID, changed)
			}
		}
		announced.send(x)
		return next(x)
	}
}

// announcement holds the values of the lifecycle headers: Deprecation (RFC 9745), Sunset (RFC
// 8594), Warning (RFC 7234; obsolete since RFC 9111, but many clients show it) and X-Stability. A
// value is nil if its header does not apply. Responses share the values, so nothing may change
// them.
type announcement struct {
	deprecated                     bool
	stability, deprecation, sunset []string
	warnings                       [removed + 1][]string
}

// phase says how far an operation's removal has progressed.
type phase int

const (
	leaving phase = iota // before the sunset, or no sunset is set
	overdue              // after the sunset, which is not enforced
	removed              // after the enforced sunset
)

// phaseOf returns the operation's phase at the time when the request arrived.
func phaseOf(x *rest.Exchange) phase {
	l := x.Lifecycle
	switch {
	case !l.Past(x.Arrived):
		return leaving
	case l.EnforceSunset:
		return removed
	}
	return overdue
}

func newAnnouncement(id string, l *lifecycle.Lifecycle) *announcement {
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

// send sets the lifecycle headers. It also sets Link (RFC 8288), whose value depends on the
// request.
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
	warning := a.warnings[phaseOf(x)]
	if strings.Contains(x.Lifecycle.Advice, "{") {
		warning = []string{filled(x, warning[0])}
	}
	header["Warning"] = warning
	link := "<" + x.URL("/docs/#/") + x.Operation.Tag + "/" + x.Operation.ID + `>; rel="deprecation"`
	if successor := successor(x); successor != "" {
		link += ", <" + successor + `>; rel="successor-version"`
	}
	x.SetHeader("Link", link)
}

// successor returns the address that replaces the operation's address, or "" if there is none.
func successor(x *rest.Exchange) string {
	if x.Lifecycle.Successor == "" {
		return ""
	}
	return x.URL(x.Operation.Mount + filled(x, x.Lifecycle.Successor))
}

// filled replaces the placeholders in text with the request's path parameters, escaped for a URL.
// text is a successor or the value of a Warning header.
func filled(x *rest.Exchange, text string) string {
	path, query, asks := strings.Cut(text, "?")
	for name, value := range x.Params {
		value = field.Abbreviate(value) // no existing record has a longer id
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		query = strings.ReplaceAll(query, "{"+name+"}", url.QueryEscape(value))
	}
	if asks {
		path += "?" + query
	}
	return path
}

// warning returns the text of the Warning header in the given phase.
func warning(id string, l *lifecycle.Lifecycle, p phase) string {
	text := fmt.Sprintf("%s is deprecated since %s", id, l.DeprecatedSince.UTC().Format(time.DateOnly))
	if !l.Sunset.IsZero() {
		text += [...]string{leaving: " and will be removed on ", overdue: " and was to be removed on ",
			removed: " and was removed on "}[p] +
			l.Sunset.UTC().Format(time.DateOnly)
	}
	if l.Advice != "" {
		text += "; use " + l.Advice
	}
	return text
}

// refuseSunset returns a 410 if the operation's sunset is enforced and had passed when the request
// arrived; see phaseOf. During a brown-out, it returns a 410 for a share of the calls, to show
// clients what the removal will do. The 410 has no Retry-After, because a client that retries would
// not notice the brown-out.
func refuseSunset(x *rest.Exchange) error {
	l := x.Lifecycle
	if l == nil || !l.Deprecated {
		return nil
	}
	if phaseOf(x) == removed {
		return gone(x, x.Operation.ID+" has been gone since "+l.Sunset.UTC().Format(time.DateOnly))
	}
	if l.Brownout > 0 {
		draws := x.Draws.ForBrownout()
		if draws.Float64() < l.Brownout {
			return gone(x, brownedOut(x, l))
		}
	}
	return nil
}

func brownedOut(x *rest.Exchange, l *lifecycle.Lifecycle) string {
	if l.Sunset.IsZero() || l.Past(x.Arrived) {
		return x.Operation.ID + " is deprecated and browned out: some of its calls are refused"
	}
	return x.Operation.ID + " is browned out: some of its calls are refused ahead of the sunset on " +
		l.Sunset.UTC().Format(time.DateOnly)
}

func gone(x *rest.Exchange, message string) error {
	if to := successor(x); to != "" {
		message += "; use " + to + " instead"
	}
	return rest.Refuse("operation_sunset", message)
}
