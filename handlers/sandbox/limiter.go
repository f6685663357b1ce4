package sandbox

import (
	"container/list"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds of a rate limit, in requests a second.
const (
	MinRateLimit = 0.001
	MaxRateLimit = 1_000_000
)

// maxClients bounds the clients that a limiter tells apart. When there is another
// one, that which has been idle for longest is forgotten.
const (
	maxClients  = 1000
	clientBytes = 512 // what one costs, its address included
)

// Policy is a rate limit in whole numbers, as clients are told: a quota of
// requests, used up at once or bit by bit, that grows back evenly in the window.
type Policy struct {
	Quota  int
	Window int // seconds
}

// PolicyOf returns the policy of a number of requests a second: the smallest one
// in whole numbers, such as 10 in 1 s, 5 in 2 s for 2.5, or 1 in 2 s for 0.5. Of a
// number that has none in 1,000 s it is the next one below.
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

// Allowance is what a limiter says to one request.
type Allowance struct {
	OK        bool
	Remaining int // requests that the client could make now
	Wait      int // seconds, rounded up, until it could make one more than that
}

// Limiter bounds the requests a second of each client, by the sandbox's clock: a
// frozen one gives nothing back.
type Limiter struct {
	policy Policy // the zero Policy: no limit

	mu      sync.Mutex
	clients map[string]*list.Element // guarded by mu; of *client
	recent  list.List                // guarded by mu; of *client, the last one to come first
}

type client struct {
	address string
	bucket  *rate.Limiter
	last    time.Time // that the bucket knows of
}

func (l *Limiter) init(requests float64) {
	if requests > 0 {
		l.policy = PolicyOf(requests)
	}
}

// Policy returns the limit and whether there is one.
func (l *Limiter) Policy() (Policy, bool) { return l.policy, l.policy.Quota > 0 }

// Take takes a request out of the client's allowance. There must be a limit.
func (l *Limiter) Take(address string, clock *Clock) Allowance {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := clock.Now()
	c := l.clientLocked(address)
	if now.Before(c.last) {
		// The clock was set back. The bucket would wait until it shows again what
		// it showed before.
		c.bucket.SetLimitAt(now, l.policy.rate())
	}
	c.last = now
	ok := c.bucket.AllowN(now, 1)
	tokens := max(0, c.bucket.TokensAt(now))
	remaining := math.Floor(tokens + 1e-9) // what time gives back is not exact
	missing := (remaining + 1 - tokens) / float64(l.policy.rate())
	return Allowance{OK: ok, Remaining: int(remaining), Wait: max(1, int(math.Ceil(missing-1e-9)))}
}

func (l *Limiter) clientLocked(address string) *client {
	if e, ok := l.clients[address]; ok {
		l.recent.MoveToFront(e)
		return e.Value.(*client)
	}
	if l.clients == nil {
		l.clients = make(map[string]*list.Element)
	}
	if len(l.clients) >= maxClients {
		oldest := l.recent.Back()
		delete(l.clients, oldest.Value.(*client).address)
		l.recent.Remove(oldest)
	}
	c := &client{address: strings.Clone(address), bucket: rate.NewLimiter(l.policy.rate(), l.policy.Quota)}
	l.clients[c.address] = l.recent.PushFront(c)
	return c
}

// Bytes returns what the limiter holds of clients.
func (l *Limiter) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(len(l.clients) * clientBytes)
}

// Reset gives every client its full allowance.
func (l *Limiter) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clients = nil
	l.recent.Init()
}

// CheckRateLimit returns what is wrong with a number of requests a second; 0 is
// no limit.
func CheckRateLimit(requests float64) error {
	if requests == 0 || requests >= MinRateLimit && requests <= MaxRateLimit {
		return nil
	}
	return fmt.Errorf("must be from %v to %v requests a second, or 0 for no limit, not %v", MinRateLimit, MaxRateLimit, requests)
}
