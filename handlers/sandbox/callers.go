package sandbox

import (
	"strings"
	"sync"
)

// maxCallers bounds how many callers of deprecated operations are remembered.
const maxCallers = 1000

// callers remembers who has used which deprecated operation.
type callers struct {
	mu   sync.Mutex
	seen map[use]struct{} // guarded by mu
}

type use struct{ operation, caller string }

// first reports whether this is the caller's first use of the operation, as far
// as is remembered: a caller that there is no room for is never new.
func (c *callers) first(operation, caller string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.seen[use{operation, caller}]; ok || len(c.seen) >= maxCallers {
		return false
	}
	if c.seen == nil {
		c.seen = make(map[use]struct{})
	}
	// Cloned, since a header's value is a part of the whole request's memory.
	c.seen[use{operation, strings.Clone(caller)}] = struct{}{}
	return true
}

func (c *callers) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = nil
}
