package memory

import (
	"errors"
	"fmt"

	"github.com/docker/go-units"

	"example.com/petstore/store/field"
)

// ErrFull reports that a request does not fit into the budget now.
var ErrFull = errors.New("the server has no memory left for this request")

// Full is the [ErrFull] of one request.
type Full struct {
	Needs   int64 // bytes that the request may need
	Free    int64 // bytes that are free
	Most    int64 // bytes that are free after all other requests have ended
	Limit   int64 // the least limit with which the request would fit now, in bytes, a multiple of MiB
	PerByte int64 // bytes of Needs per byte of the request's body, or 0 if unknown
}

// Error reports how much the request may need and how much is free.
func (f Full) Error() string {
	there := fmt.Sprintf("%s are free", size(f.Free))
	if f.Never() {
		there = "can have at most " + size(f.Most)
		if f.PerByte > 0 {
			there += ", which is enough for a body of " + size(max(0, f.Most-varies)/f.PerByte)
		}
	}
	return fmt.Sprintf("%v: it may need %s, and %s", ErrFull, size(f.Needs), there)
}

// Unwrap returns the refusal with the arguments of its advice.
func (f Full) Unwrap() error {
	first := "try again when other requests have finished, "
	switch {
	case f.Never() && f.PerByte > 0:
		first = "send less, "
	case f.Never():
		first = ""
	}
	return &field.Problem{Code: "server_full", Args: []any{first, f.Limit >> 20}}
}

// Is makes every Full equal to [ErrFull].
func (f Full) Is(target error) bool { return target == ErrFull }

// Never reports whether the request does not fit even after all other requests have ended.
func (f Full) Never() bool { return f.Needs > f.Most }

func size(bytes int64) string { return units.BytesSize(float64(bytes)) }
