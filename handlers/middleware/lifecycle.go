package middleware

import (
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/petstore/handlers/logs"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// announce sets the request's lifecycle and the lifecycle headers, which every response of an
// operation has, even an error. initial announces the lifecycle that applies unless the sandbox has
// changed it. The headers Warning (RFC 7234; obsolete since RFC 9111, but many clients show it) and
// Link (RFC 8288) of a deprecated operation depend on the request.
func announce(x *rest.Exchange, initial *announcement) {
	op, announced := x.Operation, initial
	x.Lifecycle = &op.Lifecycle
	if x.Sandbox != nil { // without a sandbox, the initial lifecycle applies
		if changed := x.Sandbox.Lifecycles.Changed(op.ID); changed != nil {
			x.Lifecycle, announced = changed, newAnnouncement(op.ID, changed)
		}
	}
	maps.Copy(x.W.Header(), announced.headers)
	if announced.warnings == nil {
		return
	}
	warning := announced.warnings[phaseOf(x)]
	if strings.Contains(x.Lifecycle.Advice, "{") {
		warning = []string{filled(x, warning[0])}
	}
	x.W.Header()["Warning"] = warning
	link := "<" + x.URL("/docs/#/") + op.Tag + "/" + op.ID + `>; rel="deprecation"`
	if successor := successor(x); successor != "" {
		link += ", <" + successor + `>; rel="successor-version"`
	}
	x.SetHeader("Link", link)
}

// announcement holds the lifecycle headers of an operation. Responses share the values, so nothing
// may change them.
type announcement struct {
	headers  http.Header // those of Deprecation (RFC 9745), Sunset (RFC 8594) and X-Stability that apply
	warnings [][]string  // the values of Warning by phase; nil if the operation is not deprecated
}

// phase says how far an operation's removal has progressed.
type phase int

const (
	planned phase = iota // before the deprecation, which is announced already
	leaving              // before the sunset, or no sunset is set
	overdue              // after the sunset, which is not enforced
	removed              // after the enforced sunset
)

// phaseOf returns the operation's phase at the time when the request arrived.
func phaseOf(x *rest.Exchange) phase {
	l := x.Lifecycle
	switch {
	case x.Arrived.Before(l.DeprecatedSince):
		return planned
	case !l.Past(x.Arrived):
		return leaving
	case l.EnforceSunset:
		return removed
	}
	return overdue
}

func newAnnouncement(id string, l *lifecycle.Lifecycle) *announcement {
	a := &announcement{headers: make(http.Header)}
	if l.Stability != "" {
		a.headers.Set("X-Stability", string(l.Stability))
	}
	if !l.Deprecated {
		return a
	}
	a.headers.Set("Deprecation", "@"+strconv.FormatInt(l.DeprecatedSince.Unix(), 10))
	if !l.Sunset.IsZero() {
		a.headers.Set("Sunset", l.Sunset.UTC().Format(http.TimeFormat))
	}
	for p := range removed + 1 {
		a.warnings = append(a.warnings, []string{`299 - "` + warning(id, l, p) + `"`})
	}
	return a
}

// successor returns the address that replaces the operation's address, or "" if there is none.
func successor(x *rest.Exchange) string {
	if x.Lifecycle.Successor == "" {
		return ""
	}
	return x.URL(x.Operation.Mount + filled(x, x.Lifecycle.Successor))
}

// filled replaces the placeholders in text, which is a successor or the value of a Warning header,
// with the request's path parameters. It escapes the values, and abbreviates those that are too
// long for an id. A space becomes %20, which is right in a path and in a query.
func filled(x *rest.Exchange, text string) string {
	for _, param := range x.Params {
		escaped := strings.ReplaceAll(url.QueryEscape(field.Abbreviate(param.Value)), "+", "%20")
		text = strings.ReplaceAll(text, "{"+param.Name+"}", escaped)
	}
	return text
}

// warning returns the text in the Warning header, without the code 299, in the given phase.
func warning(id string, l *lifecycle.Lifecycle, p phase) string {
	text := id + " is deprecated since "
	if p == planned {
		text = id + " will be deprecated on "
	}
	text += l.DeprecatedSince.UTC().Format(time.DateOnly)
	if !l.Sunset.IsZero() {
		text += [...]string{planned: " and removed on ", leaving: " and will be removed on ",
			overdue: " and was to be removed on ", removed: " and was removed on "}[p] +
			l.Sunset.UTC().Format(time.DateOnly)
	}
	if l.Advice != "" {
		text += "; use " + l.Advice
	}
	return text
}

// Count counts the calls of each operation of the service. It logs the first call of a deprecated
// operation by each caller. [logs.Bounded] limits the number of log entries for each operation,
// because a client can pretend to be many callers. Count includes every admitted call, even if the
// response is a 404, 410, 429 or an injected fault.
func Count(log *slog.Logger) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if op.ID == "" || op.Kind == rest.Admin {
			return next
		}
		log := logs.NewBounded(log)
		return func(x *rest.Exchange) error {
			report := &x.Sandbox.Report
			report.Count(op.Index)
			if !x.Lifecycle.Deprecated {
				return next(x)
			}
			caller := callerOf(x)
			if report.Add(op.ID, caller, x.Arrived) {
				log.Warn("deprecated operation used",
					"id", x.Keys.Redact(x.ID), "sandbox", x.Sandbox.Name, "client", x.Client,
					"clientName", field.Abbreviate(caller.ClientName), "caller", field.Abbreviate(caller.UserAgent),
					"warning", warning(op.ID, x.Lifecycle, phaseOf(x)))
			}
			return next(x)
		}
	}
}

// callerOf returns the request's caller. Keys are redacted.
func callerOf(x *rest.Exchange) lifecycle.Caller {
	agent := x.Keys.Redact(x.R.UserAgent())
	return lifecycle.Caller{UserAgent: agent,
		ClientName: lifecycle.ClientName(x.Keys.Redact(x.R.Header.Get("X-Client")), agent)}
}

// refuseSunset returns a 410 if the operation's sunset is enforced and had passed when the request
// arrived; see phaseOf. During a brown-out, which begins with the deprecation, it returns a 410 for a
// share of the calls, to show clients what the removal will do. The 410 has no Retry-After, because a
// client that retries would not notice the brown-out.
func refuseSunset(x *rest.Exchange) error {
	l := x.Lifecycle
	if l == nil || !l.Deprecated {
		return nil
	}
	phase := phaseOf(x)
	if phase == removed {
		return gone(x, x.Operation.ID+" has been gone since "+l.Sunset.UTC().Format(time.DateOnly))
	}
	if l.Brownout > 0 && phase != planned {
		draws := x.Draws.ForBrownout()
		if draws.Rand().Float64() < l.Brownout {
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
