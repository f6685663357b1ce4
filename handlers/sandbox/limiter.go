package sandbox

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// The lowest and the highest rate limit, in requests per second.
const (
	MinRateLimit = 0.001
	MaxRateLimit = 1_000_000
)

// maxClients is the maximum number of clients that a limiter tracks. When there are more, it drops
// the client that has been idle longest.
const (
	maxClients  = 1000
	clientBytes = 512 // the memory that a client uses, including its address
)

// Policy is a rate limit in integers, as in the RateLimit headers. A client may use the whole quota
// in one moment. The quota is restored evenly over the window.
type Policy struct {
	Quota  int
	Window int // seconds
}

// PolicyOf converts a number of requests per second to a policy with the smallest integers: 10
// becomes 10 requests in 1 s, 2.5 becomes 5 in 2 s, and 0.5 becomes 1 in 2 s. If no window of at
// most 1,000 s gives the exact rate, PolicyOf returns a policy with a lower rate.
func PolicyOf(requests float64) Policy {
	const tolerance = 1e-6
	for window := 1; window <= 1000; window++ {
		quota := math.Round(requests * float64(window))
		if quota >= 1 && math.Abs(quota-requests*float64(window)) < tolerance {
			return Policy{int(quota), window}
		}
	}
	quota := max(1, math.Floor(requests))
	return Policy{int(quota), int(math.Ceil(quota / requests))}
}

func (p Policy) rate() rate.Limit { return rate.Limit(float64(p.Quota) / float64(p.Window)) }

// Allowance is a limiter's decision about one request.
type Allowance struct {
	OK        bool
	Remaining int // how many more requests the client may make now
	Wait      int // seconds until Remaining increases by one, rounded up
}

// Limiter limits each client's requests per second. It uses the sandbox's clock, so while the clock
// is frozen, no quota is restored.
type Limiter struct {
	Policy Policy // the zero Policy means no limit; never changed once the limiter is in use

	mu      sync.Mutex
	clients *simplelru.LRU[string, *client] // guarded by mu: the clients by address; nil if there are none
}

type client struct {
	bucket *rate.Limiter
	last   time.Time // the time of the last request
}

// Take takes one request from the client's quota, unless the quota is used up. The limiter must
// have a limit.
func (l *Limiter) Take(address string, clock *Clock) Allowance {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := clock.Now()
	c := l.clientLocked(address)
	if now.Before(c.last) {
		// The clock was set back. Without this call, an empty bucket would not refill until the
		// clock has caught up.
		c.bucket.SetLimitAt(now, l.Policy.rate())
	}
	c.last = now
	ok := c.bucket.AllowN(now, 1)
	tokens := max(0, c.bucket.TokensAt(now))
	remaining := math.Floor(tokens + 1e-9) // corrects rounding errors
	missing := (remaining + 1 - tokens) / float64(l.Policy.rate())
	return Allowance{OK: ok, Remaining: int(remaining), Wait: max(1, int(math.Ceil(missing-1e-9)))}
}

func (l *Limiter) clientLocked(address string) *client {
	if l.clients == nil {
		l.clients, _ = simplelru.NewLRU[string, *client](maxClients, nil) // returns an error only for a size below 1
	}
	c, ok := l.clients.Get(address)
	if !ok {
		c = &client{bucket: rate.NewLimiter(l.Policy.rate(), l.Policy.Quota)}
		l.clients.Add(strings.Clone(address), c)
	}
	return c
}

// Bytes returns the memory that the tracked clients use.
func (l *Limiter) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clients == nil {
		return 0
	}
	return int64(l.clients.Len() * clientBytes)
}

// Reset restores every client's quota.
func (l *Limiter) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clients = nil
}

// CheckRateLimit validates a number of requests per second. 0 means no limit.
func CheckRateLimit(requests float64) error {
	if requests == 0 || requests >= MinRateLimit && requests <= MaxRateLimit {
		return nil
	}
	return fmt.Errorf("must be from %v to %v requests a second, or 0 for no limit, not %v", MinRateLimit, MaxRateLimit,
		requests)
}
