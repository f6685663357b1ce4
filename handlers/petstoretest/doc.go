// Package petstoretest runs the pet store inside a Go test: no process and no
// port to manage.
//
//	func TestShop(t *testing.T) {
//		srv := petstoretest.Run(t)
//		shop := NewShop(srv.URL) // the code under test
//		…
//	}
//
// Every [Run] makes a server with data of its own, so tests that call it can run
// in parallel. It takes a millisecond or less.
//
// # Files
//
//	server.go  Server: Run and what it gives
//	options.go Option: what Run can be asked for
package petstoretest
