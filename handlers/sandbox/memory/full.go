package memory

import (
	"errors"
	"fmt"

	"github.com/docker/go-units"
)

// ErrFull means that what was asked for does not fit into the budget now.
var ErrFull = errors.New("the server has no memory left for this request")

// Full is the [ErrFull] of one request.
type Full struct {
	Needs int64 // bytes that were asked for
	Free  int64 // bytes that there was room for
	Most  int64 // bytes that there is room for when nothing is in use
}

// Error says how much was asked for, and how much there is.
func (f Full) Error() string {
	if f.Never() {
		return fmt.Sprintf("this request may need %s of memory, more than the %s that the server has for all of them", size(f.Needs), size(f.Most))
	}
	return fmt.Sprintf("%v: it may need %s, and %s of %s are free", ErrFull, size(f.Needs), size(f.Free), size(f.Most))
}

// Is makes every Full an [ErrFull].
func (f Full) Is(target error) bool { return target == ErrFull }

// Never reports whether there can never be room.
func (f Full) Never() bool { return f.Needs > f.Most }

func size(bytes int64) string { return units.BytesSize(float64(bytes)) }
