package middleware

import (
	"fmt"
	"strconv"

	"example.com/petstore/handlers/rest"
)

// limitRate refuses requests of a client address that exceed the sandbox's rate, and sets the
// RateLimit headers (draft-ietf-httpapi-ratelimit-headers-10).
func limitRate(x *rest.Exchange) error {
	policy, limited := x.Sandbox.Limiter.Policy()
	if !limited {
		return nil
	}
	allowance := x.Sandbox.Limiter.Take(x.Client, x.Sandbox.Clock)
	x.SetHeader("Ratelimit-Policy", fmt.Sprintf(`"default";q=%d;w=%d`, policy.Quota, policy.Window))
	x.SetHeader("Ratelimit", fmt.Sprintf(`"default";r=%d;t=%d`, allowance.Remaining, allowance.Wait))
	if allowance.OK {
		return nil
	}
	return rest.Refuse("rate_limited", fmt.Sprintf("too many requests from this address: the limit is %d in %d s; wait %d s by the sandbox's clock and try again",
		policy.Quota, policy.Window, allowance.Wait)).With("Retry-After", strconv.Itoa(allowance.Wait))
}
