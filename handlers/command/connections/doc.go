// Package connections bounds what the clients of a server can hold: how many of them
// there are, and how long each may take to send what it owes and to take what it is sent.
//
// # Files
//
//	listener.go         accepts, counts, makes room
//	conn.go             one connection: what it waits for, and until when
//	room.go             which connections make room
//	http2.go            the time of a header of HTTP/2
//	limit.go            how many connections the limit of open files leaves room for
//	limit_unix.go, limit_other.go
//	                    that limit, and where there is none
package connections
