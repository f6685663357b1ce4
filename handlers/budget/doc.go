// Package budget holds the benchmarks that compare the service with a bare
// net/http server which writes the same bytes: over real loopback connections,
// each server in a process of its own, both in turns within one run, so that the
// ratios mean something on a shared and noisy machine.
//
//	go test -run '^$' -bench . -benchtime 200000x ./handlers/budget
//
// rps/bare is the share of the bare server's requests per second (more is
// better), cpu/bare the multiple of its processor time (less is better). rps/off and
// cpu/off compare in the same way with the service itself without its journal.
package budget
