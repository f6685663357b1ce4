package rest

import (
	"fmt"
	"sync/atomic"
	"time"
)

// shortWait is the longest wait that does not count as standing.
const shortWait = time.Second

// Standing bounds the requests that listen to events or wait, and so hold their connections for
// long. A nil Standing has no bound.
type Standing struct {
	most int64
	now  atomic.Int64
}

// NewStanding returns a bound of most requests. 0 means no bound.
func NewStanding(most int) *Standing {
	if most == 0 {
		return nil
	}
	return &Standing{most: int64(most)}
}

// Stand counts a request that may wait for d, until leave is called. The error is a 503.
func (x *Exchange) Stand(d time.Duration) (leave func(), err error) {
	s := x.Standing
	if s == nil || d <= shortWait {
		return func() {}, nil
	}
	leave = func() { s.now.Add(-1) }
	if s.now.Add(1) <= s.most {
		return leave, nil
	}
	leave()
	return nil, Refuse("unavailable", fmt.Sprintf("%d requests listen to events or wait, which is as many as may at once; end some first, or start the server with a larger --max-connections", s.most))
}
