// Package programtest runs petstore as a process, for the tests of the program and of the README.
//
// # Files
//
//	build.go       builds the programs once
//	process.go     runs a server, or a program to its end
//	usage.go       measures a process's memory, threads and files
//	request.go     sends requests
//	transcript.go  records a process's output
//	tool.go        requires other programs
//	nginx.go       runs nginx as a proxy
//	haproxy.go     runs HAProxy, and reloads its configuration
//	certificate.go makes the proxies' certificate
package programtest
