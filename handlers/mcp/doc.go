// Package mcp serves the control plane to coding agents through the Model Context Protocol
// (https://modelcontextprotocol.io). It serves messages over HTTP, and on standard input and
// output.
//
// A tool only calls the admin API. It makes an in-memory request from its arguments, with the
// caller's keys, and returns the response, in which some tools shorten or add fields. If the
// response is an error, so is the tool's result. The OpenAPI documents define most of the arguments.
// Clients can read these documents as resources.
//
// # Files
//
//	server.go    serves the methods of the protocol
//	version.go   negotiates and checks versions of the protocol
//	message.go   reads messages; defines responses
//	tools.go     lists the tools
//	resources.go reads the documents
//	journal.go   shortens recorded requests
//	special.go   defines tools that differ from an ordinary tool
//	words.go     names tools in messages, instead of paths
//	schema.go    makes input schemas from the documents
//	request.go   makes a request from arguments
//	call.go      makes a request in memory and returns its response
//	http.go      serves messages over HTTP
//	stdio.go     serves messages on standard input and output
package mcp
