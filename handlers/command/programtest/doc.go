// Package programtest runs petstore in its own process, to test the program and the README.
//
// # Files
//
//	build.go       builds the programs once
//	process.go     runs a server, or a program to its end
//	usage.go       measures a process's memory, threads and files
//	request.go     sends requests
//	transcript.go  records a process's output
//	tool.go        skips tests that need a missing program
//	nginx.go       runs nginx as a proxy
//	haproxy.go     runs HAProxy, and reloads its configuration
//	certificate.go provides the proxies' certificate
package programtest
