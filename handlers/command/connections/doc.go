// Package connections bounds the connections of a server: their number, the time that a client may
// take to send what it owes, and the time that it may take to receive what it is sent.
//
// # Files
//
//	listener.go    accepts and counts connections
//	conn.go        tracks a connection's state and deadlines
//	room.go        chooses the connections that make room
//	http2.go       bounds the time of HTTP/2 headers
//	limit.go       derives the most connections from the limit of open files
//	limit_unix.go  reads that limit
//	limit_other.go replaces limit_unix.go on systems without the limit
package connections
