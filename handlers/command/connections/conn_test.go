package connections

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
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
	return &conn{Conn: theirs, listener: Listen(newPipes(), 1, slog.New(slog.DiscardHandler))}, ours
}

// TestWriteHasItsTime sets a write deadline, which must also end a write in progress, and clears
// it. Then the connection's own deadline must end the write.
func TestWriteHasItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
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
		_ = c.SetDeadline(time.Time{})
		expect(rest.PieceTime)
		time.AfterFunc(time.Second, func() { _ = c.SetWriteDeadline(time.Now()) })
		expect(time.Second)
	})
}

// TestAnswerNobodyTakes checks that an unread response unblocks the handler and closes the
// connection.
func TestAnswerNobodyTakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		s := serve(t, 10, func(w http.ResponseWriter, r *http.Request) {
			_, err := w.Write(make([]byte, 1<<20))
			ended <- err
		})
		c := s.dial(t)
		c.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		time.Sleep(rest.PieceTime - time.Second)
		synctest.Wait()
		if len(ended) > 0 {
			t.Fatalf("the handler ended early: %v", <-ended)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if len(ended) == 0 {
			t.Fatal("the handler goes on")
		} else if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the handler was told %v, want the deadline", err)
		}
		if !c.closed() {
			t.Error("the connection is open")
		}
		if n := s.open(); n > 0 {
			t.Errorf("%d connections are counted, want none", n)
		}
	})
}

// TestSetLinger checks that SetLinger reaches the TCP connection, which faults that reset
// connections need.
func TestSetLinger(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	bounded := Listen(listener, 1, slog.New(slog.DiscardHandler))
	dialled := make(chan struct{})
	go func() {
		c, err := bounded.Accept()
		<-dialled
		if err == nil {
			_ = c.(*conn).SetLinger(0)
			_ = c.Close()
		}
	}()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	close(dialled)
	if _, err := client.Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "reset") {
		t.Errorf("the client reads %v, want a reset", err)
	}
}

func TestMain(m *testing.M) { testmain.Run(m) }
