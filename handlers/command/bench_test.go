package command

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// startToAnswer starts a server and returns how long it took from there to its
// first 200, and what it is still to be asked.
func startToAnswer(b *testing.B, binary func() (string, error), path string, args ...string) (time.Duration, *programtest.Process) {
	b.Helper()
	began := time.Now()
	p := programtest.Start(b, binary, nil, args...)
	if got := programtest.Get(b, p.URL+path); got.Status != http.StatusOK {
		b.Fatalf("GET %s: %d", path, got.Status)
	}
	return time.Since(began), p
}

func end(p *programtest.Process) {
	_ = p.Cmd.Process.Kill()
	<-p.Done
}

func median[T int | time.Duration](all []T) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2])
}

// prebuild keeps the build of the programs out of the time of the benchmark.
func prebuild(b *testing.B) {
	b.Helper()
	for _, binary := range []func() (string, error){programtest.Petstore, programtest.Bare} {
		if _, err := binary(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStart measures from exec to the first 200, against a server that does
// nothing else.
func BenchmarkStart(b *testing.B) {
	prebuild(b)
	var ours, bare []time.Duration
	for b.Loop() {
		took, p := startToAnswer(b, programtest.Petstore, "/pets", "--addr", "127.0.0.1:0")
		end(p)
		ours = append(ours, took)
		took, p = startToAnswer(b, programtest.Bare, "/")
		end(p)
		bare = append(bare, took)
	}
	b.ReportMetric(median(ours)/1e6, "ms")
	b.ReportMetric(median(bare)/1e6, "bare-ms")
	b.ReportMetric(median(ours)/median(bare), "x-bare")
}

func BenchmarkStartMillionPets(b *testing.B) {
	prebuild(b)
	var ours []time.Duration
	for b.Loop() {
		took, p := startToAnswer(b, programtest.Petstore, "/pets", "--addr", "127.0.0.1:0", "--pets", "1000000")
		end(p)
		ours = append(ours, took)
	}
	b.ReportMetric(median(ours)/1e6, "ms")
}

var residentMemory = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// BenchmarkIdleMemory reports the resident memory after the first answer.
func BenchmarkIdleMemory(b *testing.B) {
	prebuild(b)
	var kilobytes []int
	for b.Loop() {
		_, p := startToAnswer(b, programtest.Petstore, "/pets", "--addr", "127.0.0.1:0")
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
		if err != nil {
			b.Skipf("the memory of a process cannot be read here: %v", err)
		}
		end(p)
		match := residentMemory.FindSubmatch(status)
		if match == nil {
			b.Fatalf("no VmRSS in\n%s", status)
		}
		n, err := strconv.Atoi(string(match[1]))
		if err != nil {
			b.Fatal(err)
		}
		kilobytes = append(kilobytes, n)
	}
	b.ReportMetric(median(kilobytes)/1000, "MB")
}
