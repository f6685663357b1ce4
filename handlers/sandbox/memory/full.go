package memory

import (
	"errors"
	"fmt"

	"github.com/docker/go-units"
)

// ErrFull means that a request does not fit into the budget now.
var ErrFull = errors.New("the server has no memory left for this request")

// Full is the [ErrFull] of one request.
type Full struct {
	Needs   int64 // bytes that the request may need
	Free    int64 // bytes that there is room for
	Most    int64 // bytes that there is room for once all other requests have ended
	Limit   int64 // bytes of the least limit with which there would be room now, in whole MiB
	PerByte int64 // how many bytes of Needs each byte of the request's body may need; 0: any number
}

// Error says how much the request may need, and how much there is.
func (f Full) Error() string {
	there := fmt.Sprintf("%s are free", size(f.Free))
	if f.Never() {
		there = "can have at most " + size(f.Most)
		if f.PerByte > 0 {
			there += ", which is enough for a body of " + size(f.Most/f.PerByte)
		}
	}
	return fmt.Sprintf("%v: it may need %s, and %s", ErrFull, size(f.Needs), there)
}

// Is makes every Full an [ErrFull].
func (f Full) Is(target error) bool { return target == ErrFull }

// Never reports whether there is no room even once all other requests have ended.
func (f Full) Never() bool { return f.Needs > f.Most }

func size(bytes int64) string { return units.BytesSize(float64(bytes)) }
