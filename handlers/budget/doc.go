// Package budget measures what the service may cost, and prints each figure beside its
// budget as a table of Markdown:
//
//	go test -run '^$' -bench . -benchtime 200000x -timeout 1h ./handlers/budget
//
// Most benchmarks compare the service with a bare net/http server which writes the same
// bytes: over real loopback connections, each server in a process of its own, both in
// turns within one run, so that the ratios mean something on a shared and noisy machine.
// How long one takes is set by -benchtime, which is the number of requests; that of start,
// memory and growth is fixed. An absolute figure is that of one machine at one time.
//
// # Figures
//
//	rps/bare       the share of the bare server's requests per second (more is better)
//	cpu/bare       the multiple of its processor time (less is better)
//	rps/off        rps/bare against the service itself without its journal
//	cpu/off        cpu/bare likewise
//	time/bare      the multiple of its time from exec to the first 200
//	MB-idle        resident memory after the first answer
//	MB-after       resident memory after a million requests, connections included
//	time-1eN/1e3   the multiple of an operation's time with a thousand pets that it takes with 10^N
//
// # Files
//
//	budget_test.go  requests against a bare server, and against the service without a journal
//	start_test.go   start and memory
//	growth_test.go  time by the number of records, without connections
//	table_test.go   figures, budgets and the table of both
//	load_test.go    the clients
//	server_test.go  the servers
package budget
