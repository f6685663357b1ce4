package middleware

// IsLoopback reports whether a host can only be this machine: localhost and what
// is below it (RFC 6761, section 6.3), or a loopback address.
func IsLoopback(host string) bool { return isLoopback(host) }
