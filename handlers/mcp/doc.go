// Package mcp serves the control plane to coding agents, by the Model Context Protocol
// (https://modelcontextprotocol.io): over HTTP, and on standard input and output.
//
// A tool decides nothing. It turns its arguments into a request to the admin API, makes that
// request in memory with the caller's own keys, and gives back what was answered, errors too.
// The documents say what the arguments are.
//
// # Files
//
//	server.go  Server: the tools, as the protocol's library wants them
//	tools.go   the table of tools
//	records.go the tool that reads records, whose operation depends on the collection
//	status.go  the tool that tells the addresses
//	journal.go the tools that read recorded requests
//	world.go   exports and imports a sandbox
//	words.go   names tools in messages, instead of paths
//	schema.go  what a tool takes, by the documents
//	request.go arguments as a request
//	call.go    a request made in memory, and its answer as the result of a tool
//	envelope.go what is wrong with a message, and the library's errors in plain words
//	http.go    the row of the route table
//	stdio.go   standard input and output
package mcp
