package connections

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
	return newConn(theirs, Listen(newPipes(), 1, slog.New(slog.DiscardHandler)), time.Now()), ours
}

// TestEachPieceHasItsTime has a client that takes a piece just in time, again and again,
// and then none any more.
func TestEachPieceHasItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, reader := pair(t)
		const pieces = 5
		go func() {
			for range pieces {
				time.Sleep(rest.PieceTime - time.Nanosecond)
				_, _ = io.ReadFull(reader, make([]byte, rest.PieceBytes))
			}
		}()
		began := time.Now()
		n, err := c.Write(make([]byte, (pieces+3)*rest.PieceBytes))
		if n != pieces*rest.PieceBytes || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("wrote %d bytes, %v; want %d, and the deadline", n, err, pieces*rest.PieceBytes)
		}
		last := time.Since(began) - pieces*rest.PieceTime
		if last.Round(time.Millisecond) < rest.PieceTime || last > rest.PieceTime+slack {
			t.Errorf("it ended after %v more, want %v to %v", last, rest.PieceTime, rest.PieceTime+slack)
		}
	})
}

// TestPiecesShareADeadline wants fast writes to set none of their own.
func TestPiecesShareADeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, reader := pair(t)
		go func() { _, _ = io.Copy(io.Discard, reader) }()
		counted := &deadlines{Conn: c.Conn}
		c.Conn = counted
		for range 10 {
			if _, err := c.Write(make([]byte, 4*rest.PieceBytes)); err != nil {
				t.Fatal(err)
			}
			_ = c.SetWriteDeadline(time.Now().Add(rest.PieceTime + slack)) // as a handler does
			time.Sleep(slack / 20)
		}
		if counted.set != 1 {
			t.Errorf("%d deadlines in half a second, want 1", counted.set)
		}
		time.Sleep(slack)
		_, _ = c.Write([]byte("x"))
		if counted.set != 2 {
			t.Errorf("%d deadlines, want another after a second", counted.set)
		}
	})
}

type deadlines struct {
	net.Conn
	set int
}

func (d *deadlines) SetWriteDeadline(by time.Time) error {
	d.set++
	return d.Conn.SetWriteDeadline(by)
}

// TestEarlierDeadlineOfAWrite wants what others set to hold where it is earlier, for a
// write that waits already too, and not longer than it is set.
func TestEarlierDeadlineOfAWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := pair(t)
		expect := func(want time.Duration) {
			t.Helper()
			began := time.Now()
			if _, err := c.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the write says %v", err)
			}
			if took := time.Since(began); took < want || took > want+slack {
				t.Errorf("it took %v, want %v", took, want)
			}
		}
		_ = c.SetWriteDeadline(time.Now().Add(5 * time.Second))
		expect(5 * time.Second)
		_ = c.SetWriteDeadline(time.Time{})
		expect(rest.PieceTime)
		_ = c.SetWriteDeadline(time.Now().Add(time.Hour))
		expect(rest.PieceTime)
		time.AfterFunc(time.Second, func() { _ = c.SetWriteDeadline(aLongTimeAgo) })
		expect(time.Second)
	})
}

// TestAnswerNobodyTakes wants the handler freed and the connection closed.
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
		time.Sleep(2*time.Second + slack)
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

// TestEndSparesARequestThatHasCome ends a connection of which net/http does not know yet
// that a request has come: it is answered, and the connection goes on.
func TestEndSparesARequestThatHasCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, client := pair(t)
		c.enter(http.StateIdle)
		_ = c.SetReadDeadline(time.Now().Add(longTime))
		go func() { _, _ = io.WriteString(client, "ab") }()
		if _, err := c.Read(make([]byte, 1)); err != nil { // a part of the request
			t.Fatal(err)
		}
		c.end()
		_ = c.SetReadDeadline(time.Now().Add(time.Second)) // as net/http does then
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a read of a connection that ends: %v", err)
		}
		c.enter(http.StateActive) // it was all of the request
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Errorf("a read of its body: %v", err)
		}
		if n := c.listener.ending.Load(); n != 0 {
			t.Errorf("%d connections end, want none", n)
		}
	})
}

// TestSetLinger reaches the connection below, for a fault that resets it.
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
