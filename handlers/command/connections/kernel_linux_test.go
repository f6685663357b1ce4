package connections

import (
	"context"
	"log/slog"
	"net"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"example.com/petstore/handlers/internal/must"
)

// TestKernelOptions checks what the kernel holds and limits for a connection: small buffers, though
// those of the listener, which connections inherit, are larger, and no limit of the time that a
// client has to read. A client that reads 20 KB/s keeps its receive window closed for more than 30 s
// at a time, so a TCP_USER_TIMEOUT of that length would reset its connection.
func TestKernelOptions(t *testing.T) {
	t.Parallel()
	large := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUF, 3*bufferBytes)
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 3*bufferBytes)
		})
	}}
	inner := must.Get(large.Listen(context.Background(), "tcp", "127.0.0.1:0"))(t)
	listener := Listen(inner, 10, slog.New(slog.DiscardHandler))
	defer listener.Close()
	client := must.Get(net.Dial("tcp", inner.Addr().String()))(t)
	defer client.Close()
	accepted := must.Get(listener.Accept())(t)
	defer accepted.Close()
	raw := must.Get(accepted.(*conn).Conn.(*net.TCPConn).SyscallConn())(t)
	for name, option := range map[string]struct{ level, name, most int }{
		// Doubled for the kernel's overhead (socket(7)).
		"bytes of the send buffer":    {unix.SOL_SOCKET, unix.SO_SNDBUF, 2 * bufferBytes},
		"bytes of the receive buffer": {unix.SOL_SOCKET, unix.SO_RCVBUF, 2 * bufferBytes},
		"ms of TCP_USER_TIMEOUT":      {unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 0},
	} {
		if err := raw.Control(func(fd uintptr) {
			if got, err := unix.GetsockoptInt(int(fd), option.level, option.name); err != nil || got > option.most {
				t.Errorf("%d %s, %v; want at most %d", got, name, err, option.most)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}
