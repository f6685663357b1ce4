// Package connections bounds the connections of a server: their number, the time that a client may
// take to send a header, and the time that it may take to receive a response of net/http itself.
//
// # Files
//
//	listener.go    accepts connections and closes the longest waiting ones
//	conn.go        tracks whether a connection waits for its client
//	http2.go       bounds the time of HTTP/2 headers
//	limit_unix.go  reads the limit of open files
//	limit_other.go replaces limit_unix.go on systems without the limit
package connections
