//go:build unix

package connections

import (
	"context"
	"io"
	"log/slog"
	"net"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSocketBuffers checks the sizes of a connection's kernel buffers. The listener's buffers,
// which connections inherit, are larger.
func TestSocketBuffers(t *testing.T) {
	t.Parallel()
	large := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUF, 3*bufferBytes)
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 3*bufferBytes)
		})
	}}
	inner, err := large.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := Listen(inner, 10, slog.New(slog.NewTextHandler(io.Discard, nil)))
	defer listener.Close()
	client, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	raw, err := accepted.(*conn).Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	most := bufferBytes
	if runtime.GOOS == "linux" {
		most *= 2 // the kernel doubles the value for its overhead (socket(7))
	}
	for name, option := range map[string]int{"send": unix.SO_SNDBUF, "receive": unix.SO_RCVBUF} {
		if err := raw.Control(func(fd uintptr) {
			if bytes, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, option); err != nil || bytes > most {
				t.Errorf("the %s buffer is of %d bytes, %v; want at most %d", name, bytes, err, most)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}
