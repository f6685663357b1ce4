package rest

import (
	"fmt"
	"sync/atomic"
	"time"
)

// shortWait is how long a request may wait without counting as one that stands.
const shortWait = time.Second

// Standing bounds the requests of a server that listen to events, or wait, and so hold
// their connections for as long as they like. A nil Standing bounds nothing.
type Standing struct {
	most int64
	now  atomic.Int64
}

// NewStanding returns a bound of that many requests; 0: none.
func NewStanding(most int) *Standing {
	if most == 0 {
		return nil
	}
	return &Standing{most: int64(most)}
}

// Stand counts a request that may wait for so long among those that do, until leave is
// called. The error is a 503.
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
