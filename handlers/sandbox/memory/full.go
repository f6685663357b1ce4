package memory

import (
	"errors"
	"fmt"

	"github.com/docker/go-units"

	"example.com/petstore/store/field"
)

// ErrFull means that the server has too little memory for a request now.
var ErrFull = errors.New("the server has no memory left for this request")

// Full is the error for one request that does not fit. It matches [ErrFull].
type Full struct {
	Needs   int64 // the bytes that the request may need
	Free    int64 // the bytes that are free
	Most    int64 // the bytes that would be free after all other requests have ended
	Limit   int64 // the smallest limit with which the request would fit now, in bytes; a multiple of 1 MiB
	PerByte int64 // the bytes that an import needs for each byte of its body; 0 for other requests
}

// Error returns a message with the memory that the request may need and the memory that is free. If
// the request could never fit, the message has f.Most instead of the free memory.
func (f Full) Error() string {
	room := fmt.Sprintf("%s are free", size(f.Free))
	if f.Never() {
		room = "can have at most " + size(f.Most)
		if f.PerByte > 0 {
			room += ", which is enough for a body of " + size(max(0, f.Most-variation)/f.PerByte)
		}
	}
	return fmt.Sprintf("%v: it may need %s, and %s", ErrFull, size(f.Needs), room)
}

// Unwrap returns a [field.Problem] with the code and the arguments for the advice.
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

// Is makes every Full match [ErrFull] in [errors.Is].
func (f Full) Is(target error) bool { return target == ErrFull }

// Never reports whether the request could not fit even after all other requests have ended.
func (f Full) Never() bool { return f.Needs > f.Most }

func size(bytes int64) string { return units.BytesSize(float64(bytes)) }
