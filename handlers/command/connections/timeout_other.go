//go:build !linux

package connections

import "net"

// boundUnacknowledged does nothing: only the system's own, longer timeouts apply.
func boundUnacknowledged(*net.TCPConn) {}
