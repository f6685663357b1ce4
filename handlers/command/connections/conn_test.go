package connections

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/rest"
)

const longTime = time.Hour

// pair returns a connection of a listener and its other end.
func pair(t *testing.T) (*conn, net.Conn) {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() {
		ours.Close()
		theirs.Close()
	})
	c := &conn{Conn: theirs, listener: Listen(newPipes(), 1, slog.New(slog.DiscardHandler))}
	c.listener.admit(c)
	return c, ours
}

// TestWriteDeadline sets a write deadline, which must also end a write in progress, and clears
// it. Then the connection's own deadline must end the write.
func TestWriteDeadline(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		c, _ := pair(t)
		expect := func(want time.Duration) {
			t.Helper()
			began := time.Now()
			if _, err := c.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the write returns %v", err)
			}
			if took := time.Since(began); took != want {
				t.Errorf("it took %v, want %v", took, want)
			}
		}
		expect(rest.PieceTime)
		_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
		expect(5 * time.Second)
		_ = c.SetWriteDeadline(time.Time{})
		expect(rest.PieceTime)
		time.AfterFunc(time.Second, func() { _ = c.SetWriteDeadline(time.Now()) })
		expect(time.Second)
	})
}

func TestMain(m *testing.M) { testmain.Run(m) }
