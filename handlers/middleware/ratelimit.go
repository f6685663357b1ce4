package middleware

import (
	"fmt"
	"strconv"

	"example.com/petstore/handlers/rest"
)

// RateLimit refuses requests of a client address that exceed the sandbox's rate, and sets the
// RateLimit headers (draft-ietf-httpapi-ratelimit-headers-10).
func RateLimit() rest.Link {
	return func(next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if !x.Operation.TakesFaults() {
				return next(x)
			}
			policy, limited := x.Sandbox.Limiter.Policy()
			if !limited {
				return next(x)
			}
			allowance := x.Sandbox.Limiter.Take(x.Client, x.Sandbox.Clock)
			x.SetHeader("Ratelimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, policy.Quota, policy.Window))
			x.SetHeader("Ratelimit", fmt.Sprintf(`"default";r=%d;t=%d`, allowance.Remaining, allowance.Wait))
			if allowance.OK {
				return next(x)
			}
			return rest.Refuse("rate_limited", fmt.Sprintf("too many requests from this address: the limit is %d in %d s; wait %d s by the sandbox's clock and try again",
				policy.Quota, policy.Window, allowance.Wait)).With("Retry-After", strconv.Itoa(allowance.Wait))
		}
	}
}
