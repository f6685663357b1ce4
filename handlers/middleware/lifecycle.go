package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// Lifecycle makes every answer of an operation, errors too, say what the
// operation says about its age.
func Lifecycle() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Operation.ID != "" {
				l := x.Sandbox.Lifecycle(x.Operation.ID)
				announce(x, &l)
			}
			return next(x)
		}
	}
}

// announce sets the headers of RFC 9745 (Deprecation), RFC 8594 (Sunset), RFC
// 8288 (Link) and RFC 7234 (Warning, obsolete since RFC 9111 but shown by many
// clients).
func announce(x *rest.Exchange, l *sandbox.Lifecycle) {
	header := x.W.Header()
	if l.Stability != "" {
		header["X-Stability"] = []string{string(l.Stability)}
	}
	if !l.Deprecated {
		return
	}
	header["Deprecation"] = []string{"@" + strconv.FormatInt(l.DeprecatedSince.Unix(), 10)}
	if !l.Sunset.IsZero() {
		header["Sunset"] = []string{l.Sunset.UTC().Format(http.TimeFormat)}
	}
	link := "<" + x.URL("/docs/#/"+x.Operation.Tag+"/"+x.Operation.ID) + `>; rel="deprecation"`
	if successor := successor(x, l); successor != "" {
		link += ", <" + successor + `>; rel="successor-version"`
	}
	header["Link"] = []string{link}
	header["Warning"] = []string{`299 - "` + warning(x.Operation.ID, l) + `"`}
}

// successor returns the request to make instead, with the path parameters of
// this one filled in.
func successor(x *rest.Exchange, l *sandbox.Lifecycle) string {
	if l.Successor == "" {
		return ""
	}
	to := l.Successor
	for name, value := range x.Params {
		to = strings.ReplaceAll(to, "{"+name+"}", url.QueryEscape(value))
	}
	return x.URL(to)
}

// warning says in words what the lifecycle is.
func warning(id string, l *sandbox.Lifecycle) string {
	text := fmt.Sprintf("%s is deprecated since %s", id, l.DeprecatedSince.UTC().Format(time.DateOnly))
	if !l.Sunset.IsZero() {
		text += " and will be removed on " + l.Sunset.UTC().Format(time.DateOnly)
	}
	if l.Advice != "" {
		text += "; use " + l.Advice
	}
	return text
}

// Sunset answers 410 for an operation whose sunset has come, where that is
// enforced, and tells the log when a caller uses a deprecated one for the first
// time.
func Sunset(log *slog.Logger) rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.Operation.ID == "" {
				return next(x)
			}
			l := x.Sandbox.Lifecycle(x.Operation.ID)
			if !l.Deprecated {
				return next(x)
			}
			if caller := x.R.UserAgent(); x.Sandbox.FirstUse(x.Operation.ID, caller) {
				log.Warn("deprecated operation used",
					"id", x.ID, "sandbox", x.Sandbox.Name, "caller", caller, "warning", warning(x.Operation.ID, &l))
			}
			if l.Gone(x.Sandbox.Clock.Now()) {
				return gone(x, &l)
			}
			return next(x)
		}
	}
}

func gone(x *rest.Exchange, l *sandbox.Lifecycle) error {
	message := fmt.Sprintf("%s is gone since %s", x.Operation.ID, l.Sunset.UTC().Format(time.DateOnly))
	if to := successor(x, l); to != "" {
		message += "; use " + to + " instead"
	}
	return &rest.Error{Status: http.StatusGone, Code: "operation_sunset", Message: message}
}
