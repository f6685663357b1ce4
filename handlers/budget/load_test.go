package budget

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"
)

// connections is the number of concurrent clients.
const connections = 32

// rounds is the number of turns for each of the two servers.
const rounds = 10

// compare reports the service's requests per second and processor time as
// multiples of the bare server's, which writes the same bytes.
func compare(b *testing.B, pets int, request string, rps, cpu bound) {
	service := startProgram(b, pets)
	plain := startBare(b, service.answer(b, request))
	takeTurns(b, request, service, plain, "bare", rps, cpu)
}

// takeTurns reports the requests per second and the processor time of a service as multiples of
// another server's.
func takeTurns(b *testing.B, request string, service, other *process, name string, rps, cpuBound bound) {
	var took, cpu [2]float64
	b.ResetTimer()
	for round := range rounds {
		n := b.N/rounds + min(1, max(0, b.N%rounds-round))
		for i, p := range []*process{other, service} {
			before := p.cpu()
			took[i] += load(b, p.addr, request, n).Seconds()
			cpu[i] += p.cpu() - before
		}
	}
	b.StopTimer()
	if took[1] > 0 {
		report(b, figure{took[0] / took[1], "rps/" + name, rps})
		b.ReportMetric(float64(b.N)/took[1], "rps")
	}
	if cpu[0] > 0 {
		report(b, figure{cpu[1] / cpu[0], "cpu/" + name, cpuBound})
	}
	b.ReportMetric(service.megabytes(), "MB")
}

// load sends n requests over all connections and returns the elapsed time.
func load(b *testing.B, addr, request string, n int) time.Duration {
	b.Helper()
	var clients sync.WaitGroup
	faults := make(chan error, connections)
	begin := time.Now()
	for c := range min(connections, n) {
		share := n/connections + min(1, max(0, n%connections-c))
		clients.Go(func() {
			if err := ask(addr, request, share); err != nil {
				faults <- err
			}
		})
	}
	clients.Wait()
	took := time.Since(begin)
	select {
	case err := <-faults:
		b.Fatal(err)
	default:
	}
	return took
}

// ask sends a request n times over one connection, each after the previous response. It does as
// little as possible, so that the server's work dominates.
func ask(addr, request string, n int) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 16<<10)
	message := []byte(request)
	for range n {
		if _, err := conn.Write(message); err != nil {
			return err
		}
		if err := skipAnswer(in); err != nil {
			return err
		}
	}
	return nil
}

var contentLength = []byte("Content-Length: ")

func skipAnswer(in *bufio.Reader) error {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if len(line) < 10 || line[9] != '2' {
		return fmt.Errorf("answered with %q", line)
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) == 2 {
			_, err := io.CopyN(io.Discard, in, int64(length))
			return err
		}
		if rest, ok := bytes.CutPrefix(line, contentLength); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(rest))); err != nil {
				return err
			}
		}
	}
}
