package connections

import (
	"net"

	"golang.org/x/sys/unix"

	"example.com/petstore/handlers/rest"
)

// boundUnacknowledged has the kernel end a connection whose client has not taken, for the
// time of a piece, what the kernel holds for it: after our last write nobody else would
// notice that it has gone (RFC 5482).
func boundUnacknowledged(c *net.TCPConn) {
	raw, err := c.SyscallConn()
	if err != nil {
		return // it is closed
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(rest.PieceTime.Milliseconds()))
	})
}
