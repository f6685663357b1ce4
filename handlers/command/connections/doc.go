// Package connections limits the number of connections to a server, and the time that a client may
// take to receive a response that net/http itself writes.
//
// # Files
//
//	listener.go    accepts connections and closes those that waited longest
//	conn.go        tracks whether a connection waits for its client
//	limit_unix.go  reads the limit on open files
//	limit_other.go replaces limit_unix.go on systems without the limit
package connections
