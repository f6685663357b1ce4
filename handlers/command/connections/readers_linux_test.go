package connections

import (
	"log/slog"
	"net"
	"testing"

	"golang.org/x/sys/unix"
)

// TestKernelResetsNoReader checks that the kernel does not limit the time that a client has to
// read. A client that reads 20 KB/s keeps its receive window closed for more than 30 s at a time,
// so a TCP_USER_TIMEOUT of that length would reset its connection.
func TestKernelResetsNoReader(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := Listen(inner, 10, slog.New(slog.DiscardHandler))
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
	if err := raw.Control(func(fd uintptr) {
		if ms, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT); err != nil || ms != 0 {
			t.Errorf("TCP_USER_TIMEOUT is %d ms, %v; want none", ms, err)
		}
	}); err != nil {
		t.Error(err)
	}
}
