// Package programtest runs petstore as a process, for the tests of the program and
// of what the README says of it.
//
// # Files
//
//	build.go       the programs, built once
//	process.go     a process that serves, or that runs to its end
//	usage.go       what it holds
//	request.go     requests to it
//	transcript.go  what it writes
//	tool.go        tools that a test needs
//	nginx.go       a proxy before it
//	haproxy.go     another one, which can go on with another configuration
//	certificate.go their certificate
package programtest
