package rest

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestEachPieceOfAnAnswerHasItsTime has a client that reads each piece just in time. It checks
// that no piece is larger, and that each has a deadline of the same length.
func TestEachPieceOfAnAnswerHasItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := new(slowPipe)
		w := Writer{ResponseWriter: p}
		w.WriteHeader(http.StatusOK)
		n, err := w.Write(make([]byte, 2*PieceBytes+1))
		if n != 2*PieceBytes+1 || err != nil || w.Bytes != int64(n) {
			t.Errorf("wrote %d bytes, %v, and counts %d", n, err, w.Bytes)
		}
		if diff := cmp.Diff([]int{PieceBytes, PieceBytes, 1}, p.sizes); diff != "" {
			t.Errorf("pieces, -want +got:\n%s", diff)
		}
		for i, left := range p.left {
			if left < PieceTime || left > PieceTime+pieceSlack {
				t.Errorf("piece %d has %v, want %v to %v", i, left, PieceTime, PieceTime+pieceSlack)
			}
		}
	})
}

// slowPipe reads each piece at the last moment.
type slowPipe struct {
	pipe
	until time.Time
	sizes []int
	left  []time.Duration
}

func (p *slowPipe) Header() http.Header { return http.Header{} }

func (p *slowPipe) WriteHeader(int) {}

func (p *slowPipe) SetWriteDeadline(until time.Time) error {
	p.until = until
	return nil
}

func (p *slowPipe) Write(data []byte) (int, error) {
	p.sizes, p.left = append(p.sizes, len(data)), append(p.left, time.Until(p.until))
	time.Sleep(PieceTime)
	return len(data), nil
}

// TestAnswerWithoutBodyHasItsTime checks that a response without a body has a deadline too.
func TestAnswerWithoutBodyHasItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := new(slowPipe)
		w := Writer{ResponseWriter: p}
		w.WriteHeader(http.StatusNoContent)
		if left := time.Until(p.until); left < PieceTime {
			t.Errorf("it has %v, want %v", left, PieceTime)
		}
	})
}
