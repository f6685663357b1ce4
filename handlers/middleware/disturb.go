package middleware

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store/field"
)

// Disturb applies the rate limit, fault rules, the Prefer header, sunsets, and brown-outs, in this
// order. Each of them can respond in place of the operation. Before that, Disturb draws the
// request's random numbers, which these steps use.
//
// limited reports whether sandboxes have a rate limit.
func Disturb(limited bool) rest.Link {
	return func(op *rest.Operation, next rest.Handler) rest.Handler {
		if !op.TakesFaults() {
			return next
		}
		run := func(x *rest.Exchange) error {
			if err := applyPreferences(x); err != nil {
				return err
			}
			if err := refuseSunset(x); err != nil {
				return err
			}
			return next(x)
		}
		return func(x *rest.Exchange) error {
			x.Draws = x.Sandbox.Draw() // draw even if no step needs it, so that later draws do not depend on the steps
			if limited {
				if err := limitRate(x); err != nil {
					return err
				}
			}
			call := fault.Call{OperationID: op.ID, Method: x.R.Method, Path: x.Path,
				Header: textproto.MIMEHeader(x.R.Header)}
			rule, delay := x.Sandbox.Faults.Decide(&call, &x.Draws)
			if rule == nil {
				return run(x)
			}
			return applyFault(x, run, rule, delay)
		}
	}
}

// limitRate returns a 429 if the client's address has sent more requests than the sandbox's rate
// limit allows. It sets the RateLimit headers (draft-ietf-httpapi-ratelimit-headers-10).
func limitRate(x *rest.Exchange) error {
	policy := x.Sandbox.Limiter.Policy
	allowance := x.Sandbox.Limiter.Take(x.Client, x.Sandbox.Clock)
	x.SetHeader("Ratelimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, policy.Quota, policy.Window))
	x.SetHeader("Ratelimit", fmt.Sprintf(`"default";r=%d;t=%d`, allowance.Remaining, allowance.Wait))
	if allowance.OK {
		return nil
	}
	return rest.Refuse("rate_limited",
		fmt.Sprintf(
			"too many requests from this address: the limit is %d in %d s; wait %d s by the sandbox's clock and try "+
				"again",
			policy.Quota, policy.Window, allowance.Wait)).With("Retry-After", strconv.Itoa(allowance.Wait))
}

// maxDelay is the longest delay that a client can request.
const maxDelay = time.Minute

// applyPreferences fails or delays a request according to the preferences in its Prefer header (RFC
// 7240), such as code=503 or delay=1500 (milliseconds). It ignores unknown preferences, as the RFC
// requires.
func applyPreferences(x *rest.Exchange) error {
	if x.R.Header["Prefer"] == nil {
		return nil
	}
	p, err := readPreferences(x.R.Header["Prefer"])
	if err != nil {
		return err
	}
	if err := x.Wait(p.delay, rest.NotRun); err != nil {
		return err
	}
	if len(p.applied) > 0 {
		x.SetHeader("Preference-Applied", strings.Join(p.applied, ", "))
	}
	if p.status != 0 {
		return x.Injected(p.status)
	}
	return nil
}

type preferences struct {
	status  int // 0 if not requested
	delay   time.Duration
	applied []string // the elements of Preference-Applied
}

// readPreferences reads a request's Prefer headers. If a preference is given twice, the first one
// applies (RFC 7240, section 2).
func readPreferences(headers []string) (preferences, error) {
	var p preferences
	read := make(map[string]bool)
	for _, line := range headers {
		for element := range strings.SplitSeq(line, ",") {
			preference, _, _ := strings.Cut(element, ";") // ignore parameters
			name, value, _ := strings.Cut(preference, "=")
			name = strings.ToLower(strings.TrimSpace(name))
			value = strings.Trim(strings.TrimSpace(value), `"`)
			if read[name] {
				continue
			}
			read[name] = true
			switch name {
			case "code":
				status, wrong := field.ParseInteger(value, http.StatusBadRequest, 599)
				if wrong != "" {
					return p, rest.BadParameter("Prefer", fmt.Sprintf(
						"code must be a status from 400 to 599, not %s; for example, Prefer: code=503", field.Quote(value)))
				}
				p.status = int(status)
			case "delay":
				ms, wrong := field.ParseInteger(value, 0, maxDelay.Milliseconds())
				if wrong != "" {
					return p, rest.BadParameter("Prefer", fmt.Sprintf(
						"delay must be from 0 to %d milliseconds, not %s; for example, Prefer: delay=1500",
						maxDelay.Milliseconds(), field.Quote(value)))
				}
				p.delay = time.Duration(ms) * time.Millisecond
			default:
				continue
			}
			p.applied = append(p.applied, name+"="+value)
		}
	}
	return p, nil
}
