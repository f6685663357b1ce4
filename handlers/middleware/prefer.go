package middleware

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store/field"
)

// maxDelay bounds how long a client can ask its answer to wait.
const maxDelay = time.Minute

// Prefer makes one request fail or wait as its Prefer header (RFC 7240) asks:
// code=503, delay=1500 (milliseconds). Other preferences are not ours and are
// ignored, as the RFC says.
func Prefer() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if x.R.Header["Prefer"] == nil || !x.Operation.Disturbable() {
				return next(x)
			}
			p, err := readPreferences(x.R.Header["Prefer"])
			if err != nil {
				return err
			}
			if err := x.Wait(p.delay); err != nil {
				return err
			}
			if len(p.applied) > 0 {
				x.W.Header()["Preference-Applied"] = []string{strings.Join(p.applied, ", ")}
			}
			if p.status != 0 {
				return rest.Injected(p.status)
			}
			return next(x)
		}
	}
}

type preferences struct {
	status  int // 0: none
	delay   time.Duration
	applied []string // as they are answered
}

func readPreferences(headers []string) (preferences, error) {
	var p preferences
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		preference, _, _ := strings.Cut(part, ";") // parameters say nothing here
		name, value, _ := strings.Cut(preference, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch name {
		case "code":
			status, wrong := field.ParseInteger(value)
			if wrong != "" || status < http.StatusBadRequest || status > 599 {
				return p, badPreference(fmt.Sprintf("code must be a status from 400 to 599, not %q; Prefer: code=503", value))
			}
			p.status = int(status)
		case "delay":
			ms, wrong := field.ParseInteger(value)
			if wrong != "" || ms < 0 || ms > maxDelay.Milliseconds() {
				return p, badPreference(fmt.Sprintf("delay must be from 0 to %d milliseconds, not %q; Prefer: delay=1500", maxDelay.Milliseconds(), value))
			}
			p.delay = time.Duration(ms) * time.Millisecond
		default:
			continue
		}
		p.applied = append(p.applied, name+"="+value)
	}
	return p, nil
}

func badPreference(message string) error {
	return rest.BadParameter(rest.Detail{Field: "Prefer", Message: message})
}
